import { atEnd } from '../../../cli/test-run/at-end.ts'
import { type Platform, startPlatform } from './platform.ts'

let started: Promise<Platform> | undefined

/**
 * The platform that test files of one process share, all of it in one other process; it ends after the last file. Each
 * file creates its hotels in it, and meets those of other files as a customer would meet other customers'.
 */
export function sharedPlatform(): Promise<Platform> {
  started ??= startPlatform('one').then(platform => {
    atEnd(() => platform.stop())
    return platform
  })
  return started
}
