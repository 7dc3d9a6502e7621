import { generateKeyPairSync } from 'node:crypto'
import type { Environment } from '../kernel/process/config.ts'

/**
 * The settings that point every provider adapter at the sandbox. Existing settings stay, so that a real provider can be
 * tried by setting its key.
 * @param smtpUrl of the sandbox's mail server
 */
export function sandboxSettings(url: string, smtpUrl: string, base: Environment): Environment {
  const pem =
    base['FCM_PRIVATE_KEY'] ??
    generateKeyPairSync('rsa', {
      modulusLength: 2048,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    }).privateKey
  const settings: Environment = {
    EMAIL_BASE_URL: `${url}/email`,
    EMAIL_API_KEY: 'sandbox-email-key',
    EMAIL_FROM: 'no-reply@platform.example',
    SMTP_URL: smtpUrl,
    ONESIGNAL_BASE_URL: `${url}/onesignal`,
    ONESIGNAL_APP_ID: '11111111-2222-4333-8444-555555555555',
    ONESIGNAL_REST_KEY: 'sandbox-onesignal-key',
    FCM_BASE_URL: `${url}/fcm`,
    FCM_TOKEN_URL: `${url}/fcm/token`,
    FCM_PROJECT_ID: 'sandbox-project',
    FCM_CLIENT_EMAIL: 'push@sandbox-project.iam.example',
    FCM_PRIVATE_KEY: pem,
    WEB_PUSH_SERVICES: url,
    CHAT_BASE_URL: `${url}/chat`,
    CHAT_ORGANIZATION_TOKEN: 'sandbox-organisation-token',
    CHAT_ORGANIZATION_ID: 'sandbox-organisation',
    STRIPE_BASE_URL: url,
    PAYMENT_SECRET_KEY: 'sk_test_sandbox_secret_key',
    PAYMENT_WEBHOOK_SECRET: 'whsec_sandbox_signing_secret',
    STRIPE_WEBHOOK_TARGET: `http://127.0.0.1:${base['PAYMENT_PORT'] ?? 3006}/webhooks/stripe`,
    WEATHER_BASE_URL: `${url}/weather`,
    WEATHER_API_KEY: 'sandbox-weather-key',
  }
  const overriddenSettings = Object.entries(base).filter(([name, value]) => value && name in settings)
  return { ...settings, ...Object.fromEntries(overriddenSettings) }
}
