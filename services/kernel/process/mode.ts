import { z } from 'zod'
import { type Environment, readSettings } from './config.ts'

type Mode = 'development' | 'test' | 'production'

const names = ['development', 'test', 'staging', 'production'] as const

/**
 * The mode that NODE_ENV sets: development by default; `staging` counts as production. Throws a {@link ConfigError} for
 * any other value, such as `prod`: a typing error must not open what production closes.
 */
export function modeOf(env: Environment): Mode {
  const { NODE_ENV: mode } = readSettings(env, '', {
    NODE_ENV: z.enum(names, `must be one of ${names.join(', ')}`).default('development'),
  })
  return mode === 'staging' ? 'production' : mode
}

export const isProduction = (env: Environment): boolean => modeOf(env) === 'production'
