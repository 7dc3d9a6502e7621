import { useEffect, useRef, useState } from 'preact/hooks'

/** Pause in the typing, in ms, after which a search begins. */
const pause = 300

/**
 * The text of a search field; searches once typing pauses.
 * @param text the present search; when it changes elsewhere, as by the browser's buttons, the field follows
 */
export function useTyped(text: string, search: (text: string) => void): [string, (typedText: string) => void] {
  const [typedText, setTypedText] = useState(text)
  const searchedText = useRef(text)
  const latestSearch = useRef(search)
  latestSearch.current = search
  useEffect(() => {
    if (text === searchedText.current) return
    searchedText.current = text
    setTypedText(text)
  }, [text])
  useEffect(() => {
    if (typedText.trim() === searchedText.current) return
    const timer = setTimeout(() => {
      searchedText.current = typedText.trim()
      latestSearch.current(searchedText.current)
    }, pause)
    return () => clearTimeout(timer)
  }, [typedText])
  return [typedText, setTypedText]
}
