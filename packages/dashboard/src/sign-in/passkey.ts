import {
  browserSupportsWebAuthn,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser'
import { send } from '../api.ts'

export const hasPasskeys = browserSupportsWebAuthn

export async function signInWithPasskey(): Promise<void> {
  const optionsJSON = await send<PublicKeyCredentialRequestOptionsJSON>(
    'POST',
    '/passkeys/sign-in/options',
  )
  const response = await startAuthentication({ optionsJSON })
  await send('POST', '/passkeys/sign-in', { response })
}

/** Asks for the password again, because a passkey gives lasting access. */
export async function addPasskey(name: string, password: string): Promise<void> {
  const optionsJSON = await send<PublicKeyCredentialCreationOptionsJSON>(
    'POST',
    '/passkeys/options',
    { password },
  )
  const response = await startRegistration({ optionsJSON })
  await send('POST', '/passkeys', { name, response })
}
