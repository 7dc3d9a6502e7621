/**
 * The answer to a part of a page, or the failure that stands in its place; neither for a missing record. A lost
 * connection or session, or a limit of requests, concerns the whole page, and is thrown.
 */
export async function part(asking) {
  try {
    return { answer: (await asking) || undefined }
  } catch (error) {
    if (error.status === 404) return {}
    if ([0, 401, 429].includes(error.status)) throw error
    return { error }
  }
}
