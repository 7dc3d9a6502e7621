const ends: (() => Promise<void>)[] = []

/** Ends something that test files of one process share, after the last of them. */
export const atEnd = (end: () => Promise<void>): void => void ends.push(end)

/** Ends everything shared, the newest first. */
export async function endShared(): Promise<void> {
  for (let end = ends.pop(); end; end = ends.pop()) await end()
}
