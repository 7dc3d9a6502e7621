import { useEffect, useRef, useState } from 'preact/hooks'

/** Pause in the typing, in ms, after which a search begins. */
const pause = 300

/**
 * The text of a search field, which is searched for once typing pauses.
 * @param text what is searched for; when it changes elsewhere, as by the browser's buttons, the field follows
 */
export function useTyped(text: string, search: (text: string) => void): [string, (typed: string) => void] {
  const [typed, setTyped] = useState(text)
  const known = useRef(text)
  const latest = useRef(search)
  latest.current = search
  useEffect(() => {
    if (text === known.current) return
    known.current = text
    setTyped(text)
  }, [text])
  useEffect(() => {
    if (typed.trim() === known.current) return
    const timer = setTimeout(() => {
      known.current = typed.trim()
      latest.current(known.current)
    }, pause)
    return () => clearTimeout(timer)
  }, [typed])
  return [typed, setTyped]
}
