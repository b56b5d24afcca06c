import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import type { BrowserContext, Page } from 'playwright-core'

type Cbor = number | string | Buffer | Map<number | string, Cbor>

function head(major: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(major << 5) | value])
  if (value < 256) return Buffer.from([(major << 5) | 24, value])
  return Buffer.from([(major << 5) | 25, value >> 8, value & 255])
}

/** Implements as much of RFC 8949 as an authenticator needs. */
function cbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') return Buffer.concat([head(3, value.length), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  const map = value as Map<number | string, Cbor>
  const pairs = [...map].flatMap(([name, one]) => [cbor(name), cbor(one)])
  return Buffer.concat([head(5, map.size), ...pairs])
}

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest()
const text = (data: Buffer) => data.toString('base64url')

const PRESENT_AND_VERIFIED = 0x05
const WITH_KEY = 0x40

/** A passkey in software that behaves like a browser with its authenticator (WebAuthn level 2). */
export function createAuthenticator(origin: string) {
  const { hostname } = new URL(origin)
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const id = randomBytes(16)
  let counter = 0

  const clientData = (type: string, challenge: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))

  function authData(flags: number): Buffer {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(++counter)
    return Buffer.concat([sha256(hostname), Buffer.from([flags]), count])
  }

  const named = { id: text(id), rawId: text(id), type: 'public-key', clientExtensionResults: {} }

  return {
    /** Returns what `navigator.credentials.create` would. */
    register({ challenge }: { challenge: string }) {
      const key = new Map<number, Cbor>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Buffer.from(x, 'base64url')],
        [-3, Buffer.from(y, 'base64url')],
      ])
      const credential = [Buffer.alloc(16), Buffer.from([0, id.length]), id, cbor(key)]
      const data = Buffer.concat([authData(PRESENT_AND_VERIFIED | WITH_KEY), ...credential])
      const attestation = new Map<string, Cbor>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', data],
      ])
      return {
        ...named,
        response: {
          clientDataJSON: text(clientData('webauthn.create', challenge)),
          attestationObject: text(cbor(attestation)),
          transports: ['internal'],
        },
      }
    },
    /** Returns what `navigator.credentials.get` would. */
    show({ challenge }: { challenge: string }) {
      const client = clientData('webauthn.get', challenge)
      const data = authData(PRESENT_AND_VERIFIED)
      const signature = sign('sha256', Buffer.concat([data, sha256(client)]), privateKey)
      return {
        ...named,
        response: {
          clientDataJSON: text(client),
          authenticatorData: text(data),
          signature: text(signature),
        },
      }
    },
  }
}

/** Gives a page of Chromium a passkey device that is always there and always unlocked. */
export async function addVirtualAuthenticator(context: BrowserContext, page: Page): Promise<void> {
  const devices = await context.newCDPSession(page)
  await devices.send('WebAuthn.enable')
  await devices.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...({ protocol: 'ctap2', transport: 'internal', hasResidentKey: true } as const),
      ...{ hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true },
    },
  })
}
