import { encodeParameters, signedString } from '@gatehouse/sdk/signing'
import type { Static } from 'typebox'
import { decryptKey, listLiveKeys } from '../../../domain/apps/keys.ts'
import { fail, invalid } from '../../../errors.ts'
import { isCanonical } from '../../../signing/canonical.ts'
import { authorize, curlCommand } from '../../../signing/curl.ts'
import { type AppRequest, appRoute, DEVELOPERS, type Route } from '../route.ts'
import { ConsoleBody, type ConsoleResponse } from './schemas.ts'

function targetOf(path: string, parameters: Readonly<Record<string, string>> = {}): string {
  if (!path.startsWith('/r2/')) {
    throw invalid('path', 'must begin with /r2/')
  }
  if (path.includes('?') || !isCanonical(path)) {
    throw invalid('path', 'must not contain a query, //, . or .. segments, \\ or #')
  }
  const query = encodeParameters(parameters)
  return query === '' ? path : `${path}?${query}`
}

type ConsoleCall = AppRequest<unknown, Static<typeof ConsoleBody>>

async function newestKey({ ctx, env, aid }: AppRequest): Promise<string> {
  const key = (await listLiveKeys(env.database.read, aid, env.realTime())).at(-1)
  if (!key) throw fail('key_not_found', 'The application has no live key. Create one first.')
  return decryptKey(ctx.masterKey, key)
}

/** The parameters, with the time of the request if the application requires it, or if the whole request is shown: whoever
 * sees it could otherwise repeat a write for as long as the key lives. */
function dated({ env, aid, body }: ConsoleCall): Record<string, string> {
  const { ts: typed = '', ...parameters } = body.parameters ?? {}
  const isRequired = body.method === 'POST' && env.keyring.requiresTs(aid)
  if (typed !== '') return { ts: typed, ...parameters }
  if (!isRequired && body.reveal !== true) return parameters
  return { ts: String(Math.floor(env.realTime() / 1000)), ...parameters }
}

/** Signs a request like the application would, and sends it as a real API request. */
const send = appRoute('POST /console', {
  allowed: DEVELOPERS,
  action: 'console.send',
  // The whole request works for others, too: for minutes if it changes something, and until the key changes if it only reads.
  confirmation: ({ reveal }) => reveal === true,
  body: ConsoleBody,
  async handle(call): Promise<ConsoleResponse> {
    const { env, aid, body, request, note } = call
    const { method } = body
    const target = targetOf(body.path, dated(call))
    const key = await newestKey(call)
    const address = new URL(env.address())
    const authorization = authorize(aid, key, method, target)
    const startedAt = performance.now()
    const answer = await request.server.inject({
      method,
      url: address.pathname.replace(/\/$/, '') + target,
      headers: { host: address.host, authorization },
    })
    const took = performance.now() - startedAt
    note({ method, route: routeOf(body.path), status: answer.statusCode })
    if (body.reveal) note({ reveal: true })
    const hide = (text: string) => (body.reveal ? text : masked(text, authorization))
    return {
      signed_string: signedString(method, target),
      authorization: hide(authorization),
      curl: hide(curlCommand(env.address(), aid, key, method, target)),
      status: answer.statusCode,
      headers: shown(answer.headers),
      body: answer.body,
      took_ms: Math.round(took * 10) / 10,
    }
  },
})

/** Returns the part of a path that is safe to log: in a path that names a user, the last segment is personal
 * data. */
const routeOf = (path: string) =>
  /^\/r2\/(?!user\/)[a-z]+(?:\/[a-z]+)?\/?/.exec(path)?.[0] ?? '/r2/'

/** Keeps enough of the signature to distinguish it from others. */
function masked(text: string, authorization: string): string {
  const shownPart = authorization.slice(0, authorization.indexOf(':') + 5)
  return text.replaceAll(authorization, `${shownPart}…`)
}

const shown = (headers: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))

export const consoleRoutes: readonly Route[] = [send]
