import { type CheckResult, pipe, run } from '../run.ts'
import { contractFile } from './record.ts'

/** The present protos as an image of buf. */
export function contractImage(): string {
  const { ok, output } = run('buf', 'build', '--exclude-source-info', '-o', '-#format=json')
  if (!ok) throw new Error(output)
  return output
}

/** Compares an image with the released one. Of sources, buf compares one module, and would miss the files of others. */
export const brokenContract = (image = contractImage()): CheckResult =>
  pipe(image, 'buf', 'breaking', '-#format=json', '--against', contractFile)
