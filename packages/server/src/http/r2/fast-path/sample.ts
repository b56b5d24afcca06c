import { setImmediate, setTimeout as sleep } from 'node:timers/promises'

export interface AccessResponse {
  status: number
  body: string
}

/** A request as it arrived, to be repeated. It is never logged: it contains a signature and names of people. */
export interface SampledRequest {
  /** The request target as sent. */
  url: string
  /** The same as it is routed: a host name may lead to the sandbox. */
  routedUrl: string
  host: string
  authorization: string
}

/** A difference between the two responses to one request, described without secrets. */
export interface Difference {
  aid: string
  fast_path_status: number
  route_status: number
  /** The names of the fields that differ in the body. */
  fields: string[]
}

export interface SampleOptions {
  /** One in this many responses is compared, chosen at random; 0 for none. */
  every: number
  /** Repeats the request on the fast path; returns undefined if the fast path leaves it to the route. */
  askFastPath(request: SampledRequest): Promise<AccessResponse | undefined>
  askRoute(request: SampledRequest): Promise<AccessResponse>
  /** Returns a text that changes with every commit and every second. Two equal texts prove that nothing changed in
   * between. */
  moment(): Promise<string>
  onCompared(): void
  onDifference(difference: Difference): void
  /** Called if a comparison was not possible, for example because the database is unavailable. */
  onTrouble(error: unknown): void
}

export interface Sample {
  /** Whether the next response is to be compared. */
  isDue(): boolean
  compare(request: SampledRequest, accessResponse: AccessResponse): void
}

/** Maximum concurrent comparisons. Further responses are not compared meanwhile. */
const MAX_AT_ONCE = 4

/** Maximum rounds before a difference counts as real although data may have changed in between. */
const ROUNDS = 20
const PAUSE_MS = 50

/** Statuses of the route that are compared. A refusal because of load or a limit says nothing about the access. */
const COMPARABLE = new Set([200, 400, 401, 404])

const REQUEST_ID = /"request_id":"[\w.:-]+"/
const withoutId = ({ body }: AccessResponse) => body.replace(REQUEST_ID, '')
const isSame = (one: AccessResponse, two: AccessResponse) =>
  one.status === two.status && withoutId(one) === withoutId(two)

/** Compares a sample of the fast path's responses with the route's responses to the same requests. */
export function createSample(options: SampleOptions): Sample {
  let running = 0

  async function compareNow(
    request: SampledRequest,
    accessResponse: AccessResponse,
  ): Promise<void> {
    // Runs after the response was sent, so that no client waits for it.
    await setImmediate()
    const route = await options.askRoute(request)
    if (!COMPARABLE.has(route.status)) return
    options.onCompared()
    if (isSame(accessResponse, route)) return
    const difference = await findDifference(options, request)
    if (difference) options.onDifference(difference)
  }

  return {
    isDue: () => options.every > 0 && running < MAX_AT_ONCE && Math.random() * options.every < 1,
    compare(request, accessResponse) {
      running++
      compareNow(request, accessResponse)
        .catch(options.onTrouble)
        .finally(() => {
          running--
        })
    },
  }
}

/**
 * Repeats the request both ways until they agree, or until they differ while nothing has changed. If other writes never
 * leave such a moment, both must have differed in every round.
 */
async function findDifference(
  { askFastPath, askRoute, moment }: SampleOptions,
  request: SampledRequest,
): Promise<Difference | undefined> {
  for (let round = 1; ; round++) {
    const before = await moment()
    const fast = await askFastPath(request)
    const route = await askRoute(request)
    const again = await askFastPath(request)
    if (!fast || !again || !COMPARABLE.has(route.status)) return undefined
    if (isSame(fast, route) || isSame(again, route)) return undefined
    const isOneMoment = (await moment()) === before
    if (isOneMoment || round === ROUNDS) return differenceOf(request, fast, route)
    await sleep(PAUSE_MS * Math.random())
  }
}

function differenceOf(
  request: SampledRequest,
  fast: AccessResponse,
  route: AccessResponse,
): Difference {
  const [one, two] = [fieldsOf(fast), fieldsOf(route)]
  const names = [...new Set([...Object.keys(one), ...Object.keys(two)])]
  return {
    aid: request.authorization.split(':', 1)[0] as string,
    fast_path_status: fast.status,
    route_status: route.status,
    fields: names.filter((name) => JSON.stringify(one[name]) !== JSON.stringify(two[name])),
  }
}

/** An unreadable body differs as a whole. */
function fieldsOf({ body }: AccessResponse): Record<string, unknown> {
  try {
    return JSON.parse(body) as Record<string, unknown>
  } catch {
    return { body }
  }
}
