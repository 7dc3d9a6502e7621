import { applyBlock, type EditableFiles, exampleBlocks } from '../scaffold/guide-blocks.ts'
import { addResource } from '../scaffold/resource.ts'
import { messageOf } from '../stack/messages.ts'

/**
 * Texts that the guides and the scaffold quote from files that don't have them, or have them twice. Two resources are
 * scaffolded first, because the guides are followed in a project that has grown.
 */
export function movedQuotes(files: EditableFiles): string[] {
  const steps = [
    ...['example', 'sample'].map(singular => () => addResource(files, { plural: `${singular}s`, singular })),
    ...exampleBlocks(files.read).map(block => () => applyBlock(files, block)),
  ]
  return [...new Set(steps.flatMap(problemsOf))]
}

function problemsOf(step: () => void): string[] {
  try {
    step()
    return []
  } catch (error) {
    return [messageOf(error)]
  }
}
