import { z } from 'zod'
import { address, type Environment, readSettings, secret } from '../kernel/process/config.ts'
import { databaseAddress } from '../kernel/process/tls.ts'

const shape = {
  DATABASE_URL: databaseAddress,
  STRIPE_BASE_URL: address('http', 'https')
    .refine(text => URL.canParse(text) && new URL(text).pathname === '/', 'must be an address without a path')
    .default('https://api.stripe.com'),
  PAYMENT_SECRET_KEY: z
    .string({ error: 'is required' })
    .regex(/^(sk|rk)_\w+$/, 'must be a key that begins with sk_ or rk_'),
  PAYMENT_WEBHOOK_SECRET: secret,
}

export function paymentConfig(env: Environment) {
  const read = readSettings(env, 'PAYMENT', shape)
  return {
    databaseUrl: read.DATABASE_URL,
    address: { baseUrl: read.STRIPE_BASE_URL, secretKey: read.PAYMENT_SECRET_KEY },
    webhookSecret: read.PAYMENT_WEBHOOK_SECRET,
  }
}
