/** Lets the browser download a file. */
export function saveFile(name: string, content: Blob): void {
  const address = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // Safari reads the address only after the current task.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}

/** Saves the body of an answer under the name that its header gives. */
export async function saveAnswer(answer: Response, fallbackName: string): Promise<void> {
  const fileName = /filename="([^"]+)"/.exec(answer.headers.get('content-disposition') ?? '')?.[1]
  saveFile(fileName ?? fallbackName, await answer.blob())
}
