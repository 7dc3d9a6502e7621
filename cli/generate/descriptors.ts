import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { DescFile } from '@bufbuild/protobuf'

/** Every generated file of the platform's packages below a folder such as gen, ordered by name. */
export async function loadFiles(folder: string): Promise<DescFile[]> {
  const names = (await readdir(folder, { recursive: true })).filter(name => name.endsWith('_pb.ts'))
  const files: DescFile[] = []
  for (const name of names.toSorted()) {
    const exported: Record<string, unknown> = await import(pathToFileURL(join(folder, name)).href)
    files.push(...Object.values(exported).filter(isFile))
  }
  return files.filter(file => file.proto.package.startsWith('platform.'))
}

function isFile(value: unknown): value is DescFile {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'file'
}
