import type { Locator, Page } from 'playwright-core'
import type { FrontWorld } from '../front-world.ts'

type StoredPage = {
  status: string
  excerpt: string | null
  scheduledAt: string | null
  content: { blocks: unknown }
  medias: { fileUrl: string; type: string }[]
}

/** Waits until the text is saved. */
export const waitUntilSaved = (page: Page): Promise<void> =>
  page.getByRole('status').getByText('Saved', { exact: true }).waitFor()

/** Waits for the line that tells what was done. */
export const waitForToast = (page: Page, text: string): Promise<void> =>
  page.locator('.toasts').getByText(text).waitFor()

export const content = (page: Page): Locator => page.getByRole('group', { name: 'Content' })

/** Id of the page that is written. */
export const idIn = (page: Page): string => /\/write\/([0-9a-f]{24})/.exec(page.url())?.[1] ?? ''

export const storedPage = async (world: FrontWorld, id: string): Promise<StoredPage> =>
  (await world.news('GET', `/api/v1/pages/${id}`)) as unknown as StoredPage

export const blocksOf = async (world: FrontWorld, id: string): Promise<unknown> =>
  (await storedPage(world, id)).content.blocks

/** Publishes a page with one paragraph over the API. @returns its id */
export const publishPage = (world: FrontWorld, title: string, text: string): Promise<string> =>
  world.writePage(title, { content: { blocks: [{ type: 'paragraph', data: { text } }] }, status: 'published' })

/** Pastes what another program copied, as text by its type, once the editor knows where the caret is. */
export const paste = (page: Page, copied: Record<string, string>): Promise<void> =>
  page.evaluate(`(async () => {
    await new Promise(resolve => setTimeout(resolve, 100))
    const data = new DataTransfer()
    for (const [type, text] of Object.entries(${JSON.stringify(copied)})) data.setData(type, text)
    document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
  })()`)
