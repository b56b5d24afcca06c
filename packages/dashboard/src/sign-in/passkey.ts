import {
  browserSupportsWebAuthn,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser'
import { send } from '../api.ts'

export const hasPasskeys = browserSupportsWebAuthn

/** Lets the browser answer a challenge of the server with a passkey. */
export async function answerChallenge(): Promise<{ response: unknown }> {
  const path = '/passkeys/sign-in/options'
  const optionsJSON = await send<PublicKeyCredentialRequestOptionsJSON>('POST', path)
  return { response: await startAuthentication({ optionsJSON }) }
}

export async function signInWithPasskey(): Promise<void> {
  await send('POST', '/passkeys/sign-in', await answerChallenge())
}

/** Proves again who is signed in. */
export async function confirmWithPasskey(): Promise<void> {
  await send('POST', '/confirmation/passkey', await answerChallenge())
}

export async function addPasskey(name: string): Promise<void> {
  const path = '/passkeys/options'
  const optionsJSON = await send<PublicKeyCredentialCreationOptionsJSON>('POST', path)
  const response = await startRegistration({ optionsJSON })
  await send('POST', '/passkeys', { name, response })
}
