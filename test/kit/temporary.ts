import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A separate folder for the temporary files of this process, such as uploads in progress. */
export async function separateTemporary() {
  const originalFolder = process.env['TMPDIR']
  const folder = await mkdtemp(join(tmpdir(), 'test-'))
  process.env['TMPDIR'] = folder
  return {
    folder,
    /** Uploads in progress whose file still has a name. */
    uploads: async () => (await readdir(folder)).filter(name => name.startsWith('upload-')),
    async remove() {
      if (originalFolder === undefined) delete process.env['TMPDIR']
      else process.env['TMPDIR'] = originalFolder
      await rm(folder, { recursive: true })
    },
  }
}
