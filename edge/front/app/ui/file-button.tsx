type FileButtonProps = {
  text: string
  accept: string
  class?: string
  onFile: (file: File) => void
}

/** A button that asks for a file. */
export function FileButton({ text, accept, class: look = '', onFile }: FileButtonProps) {
  return (
    <label class={`button file-button ${look}`}>
      {text}
      <input
        class="unseen"
        type="file"
        accept={accept}
        onChange={event => {
          const input = event.currentTarget
          const [file] = input.files ?? []
          if (file) onFile(file)
          // The same file can be chosen again, as after a refusal.
          input.value = ''
        }}
      />
    </label>
  )
}

type FileChooserProps = {
  element: { current: HTMLInputElement | null }
  name: string
  accept?: string
  onFiles: (files: File[]) => void
}

/** The browser's dialog for files, opened by a button. */
export function FileChooser({ element, name, accept, onFiles }: FileChooserProps) {
  return (
    <input
      ref={element}
      type="file"
      hidden
      multiple
      aria-label={name}
      accept={accept}
      onChange={event => {
        onFiles([...(event.currentTarget.files ?? [])])
        event.currentTarget.value = ''
      }}
    />
  )
}
