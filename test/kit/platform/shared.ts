import { atEnd } from '../../../cli/test-run/at-end.ts'
import { type Platform, startPlatform } from './platform.ts'

let started: Promise<Platform> | undefined

/**
 * The platform that test files of one process share. It is in one process, and ends after the last file. Each file
 * creates hotels of its own in it, and sees those of others as it would see other customers.
 */
export function sharedPlatform(): Promise<Platform> {
  started ??= startPlatform('one').then(platform => {
    atEnd(() => platform.stop())
    return platform
  })
  return started
}
