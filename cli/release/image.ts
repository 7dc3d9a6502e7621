import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '../run.ts'
import { imageName } from './deployment.ts'
import { writeImageFiles } from './image-files.ts'

type ImageOptions = {
  /** The OCI archive to write. */
  archive: string
  labels: Record<string, string>
  /** The time of its files, in seconds. */
  time: number
}

/**
 * Builds the last stage of Dockerfile with buildah. Nothing runs in it, so it needs neither a registry nor a container
 * runtime.
 * @returns the shared libraries in the image
 */
export async function buildImage({ archive, labels, time }: ImageOptions): Promise<string[]> {
  const work = mkdtempSync(join(tmpdir(), 'image-'))
  const storage = ['--root', join(work, 'storage'), '--runroot', join(work, 'run'), '--storage-driver', 'vfs']
  const buildah = (...args: string[]) =>
    execFileSync('buildah', [...storage, ...args], { stdio: ['ignore', 'ignore', 'pipe'] })
  try {
    const context = join(work, 'context')
    const libraries = await writeImageFiles(join(context, 'image'))
    const [, stage = ''] = readFileSync(join(root, 'Dockerfile'), 'utf8').split(/^(?=FROM scratch$)/m)
    writeFileSync(join(context, 'Dockerfile'), stage.replaceAll('--from=build ', ''))
    const labelOptions = Object.entries(labels).map(([name, value]) => `--label=${name}=${value}`)
    const options = ['--format=oci', `--timestamp=${time}`, `--tag=${imageName}`, '--quiet', ...labelOptions]
    buildah('build', ...options, context)
    const layout = join(work, 'layout')
    buildah('push', '--format=oci', '--quiet', imageName, `oci:${layout}:${imageName}`)
    const sameEverywhere = ['--sort=name', `--mtime=@${time}`, '--owner=0', '--group=0', '--numeric-owner']
    execFileSync('tar', ['-cf', archive, ...sameEverywhere, '-C', layout, 'oci-layout', 'index.json', 'blobs'])
    return libraries
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}
