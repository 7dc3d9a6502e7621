import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Icon, type IconName } from './icon.tsx'

export type MenuItem = {
  text: string
  icon?: IconName
  /** Among choices of which one holds. */
  checked?: boolean
  variant?: 'danger'
  act: () => void
}

type MenuProps = {
  /** Name of the button; shown unless `icon` replaces it. */
  name: string
  text?: string
  icon?: IconName
  choices: MenuItem[]
  disabled?: boolean
  class?: string
}

/** A button that opens a list of choices. Arrow keys go through them, Escape closes it. */
export function Menu({ name, text, icon, choices, disabled, ...rest }: MenuProps) {
  const [isOpen, setOpen] = useState(false)
  const root = useRef<HTMLSpanElement>(null)
  const items = () => [...(root.current?.querySelectorAll<HTMLElement>('[role^=menuitem]') ?? [])]
  const button = () => root.current?.querySelector('button')
  // Before a key can choose: later, it would take the focus from what the choice opened.
  useLayoutEffect(() => {
    if (isOpen) (items().find(item => item.ariaChecked === 'true') ?? items()[0])?.focus()
  }, [isOpen])
  const close = () => {
    setOpen(false)
    button()?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const menuItems = items()
    const focusedIndex = menuItems.findIndex(item => item === document.activeElement)
    const to: Record<string, number> = { ArrowDown: focusedIndex + 1, ArrowUp: focusedIndex - 1, Home: 0, End: -1 }
    const nextIndex = to[event.key]
    if (event.key === 'Escape' && isOpen) {
      event.stopPropagation()
      close()
    } else if (event.key === 'Tab') return setOpen(false)
    else if (!isOpen && event.key === 'ArrowDown') setOpen(true)
    else if (isOpen && nextIndex !== undefined) menuItems.at(nextIndex % menuItems.length)?.focus()
    else return
    event.preventDefault()
  }
  return (
    <span
      class={`menu anchor ${rest.class ?? ''}`}
      ref={root}
      onKeyDown={onKeyDown}
      onFocusOut={event => {
        if (!root.current?.contains(event.relatedTarget as Node | null)) setOpen(false)
      }}
    >
      <button
        type="button"
        class={icon && !text ? 'icon-button' : 'button menu-button'}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-label={text === name ? undefined : text ? `${name}: ${text}` : name}
        title={icon && !text ? name : undefined}
        disabled={disabled}
        onClick={() => setOpen(open => !open)}
      >
        {icon && <Icon name={icon} />}
        {text && <span>{text}</span>}
        {text && <Icon name="down" size={16} />}
      </button>
      {isOpen && (
        <ul role="menu" aria-label={name}>
          {choices.map(choice => (
            <li key={choice.text} role="none">
              <button
                type="button"
                role={choice.checked === undefined ? 'menuitem' : 'menuitemradio'}
                aria-checked={choice.checked}
                tabIndex={-1}
                class={choice.variant ?? ''}
                onClick={() => {
                  close()
                  choice.act()
                }}
              >
                {choice.icon && <Icon name={choice.icon} />}
                {choice.text}
              </button>
            </li>
          ))}
        </ul>
      )}
    </span>
  )
}
