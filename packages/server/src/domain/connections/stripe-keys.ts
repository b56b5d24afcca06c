import { invalid } from '../../errors.ts'
import { KEY_TEXTS, SECRET_TEXTS } from './texts.ts'

export type EnvironmentName = 'production' | 'sandbox'
export type StripeMode = 'live' | 'test'

/** Real money moves in production and nowhere else. */
export const modeOf = (environment: EnvironmentName): StripeMode =>
  environment === 'production' ? 'live' : 'test'

const KEY = /^(?:sk|rk)_(live|test)_[A-Za-z0-9_]{8,250}$/
const SECRET = /^whsec_[A-Za-z0-9+/=_-]{8,250}$/

/** Reads a secret or restricted key of the right mode. Its text never appears in the error. */
export function readSecretKey(text: string, environment: EnvironmentName): string {
  const key = text.trim()
  const wanted = modeOf(environment)
  const problem = (what: string) => invalid('secret_key', what)
  if (key.startsWith('pk_')) throw problem(KEY_TEXTS.publishable)
  if (key.startsWith('whsec_')) throw problem(KEY_TEXTS.webhookSecret)
  const [, mode] = KEY.exec(key) ?? []
  if (mode === undefined) throw problem(KEY_TEXTS.notAKey(wanted))
  if (mode !== wanted) throw problem(KEY_TEXTS.wrongMode[wanted])
  return key
}

/** Reads the signing secret of a webhook endpoint that was created by hand. */
export function readWebhookSecret(text: string): string {
  const secret = text.trim()
  const parameter = 'webhook_secret'
  if (/^[psr]k_/.test(secret)) throw invalid(parameter, SECRET_TEXTS.apiKey)
  if (!SECRET.test(secret)) throw invalid(parameter, SECRET_TEXTS.notASecret)
  return secret
}
