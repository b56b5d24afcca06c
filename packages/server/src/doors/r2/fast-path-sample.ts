import { setImmediate, setTimeout as sleep } from 'node:timers/promises'

/** What was answered to a request. */
export interface Answered {
  status: number
  body: string
}

/** A request as it came, to be asked again. It is never logged: it holds a signature and people's names. */
export interface SampledRequest {
  /** The target as it came. */
  url: string
  host: string
  authorization: string
}

/** Two ways that answered differently to the same question, in words that hold no secret. */
export interface Difference {
  aid: string
  fast_path_status: number
  route_status: number
  /** The fields of the body that differ. */
  fields: string[]
}

export interface SampleOptions {
  /** One answer in so many is compared, by chance; 0 for none. */
  every: number
  /** Asks the fast path once more; undefined where it leaves the request to the route. */
  askFastPath(request: SampledRequest): Promise<Answered | undefined>
  askRoute(request: SampledRequest): Promise<Answered>
  /** A text that is another after every commit and in every second. Two that are equal prove that nothing
   * changed in between. */
  moment(): Promise<string>
  onCompared(): void
  onDifference(difference: Difference): void
  /** A comparison could not be made: the database is away, for example. */
  onTrouble(error: unknown): void
}

export interface Sample {
  /** Whether the next answer is to be compared. */
  isDue(): boolean
  compare(request: SampledRequest, answered: Answered): void
}

/** Comparisons at a time. Answers that come meanwhile are not compared. */
const MAX_AT_ONCE = 4

/** Both ways are asked again so often before a difference is believed that changes might explain. */
const ROUNDS = 20
const PAUSE_MS = 50

/** Of the route. A refusal for load or a limit says nothing about the access. */
const COMPARABLE = new Set([200, 400, 401, 404])

const REQUEST_ID = /"request_id":"\w+"/
const withoutId = ({ body }: Answered) => body.replace(REQUEST_ID, '')
const isSame = (one: Answered, two: Answered) =>
  one.status === two.status && withoutId(one) === withoutId(two)

/** Compares a sample of the fast path's answers with what the route answers to the same request. */
export function createSample(options: SampleOptions): Sample {
  let running = 0

  async function compareNow(request: SampledRequest, answered: Answered): Promise<void> {
    // After the answer was sent: nobody waits for this.
    await setImmediate()
    const route = await options.askRoute(request)
    if (!COMPARABLE.has(route.status)) return
    options.onCompared()
    if (isSame(answered, route)) return
    const difference = await findDifference(options, request)
    if (difference) options.onDifference(difference)
  }

  return {
    isDue: () => options.every > 0 && running < MAX_AT_ONCE && Math.random() * options.every < 1,
    compare(request, answered) {
      running++
      compareNow(request, answered)
        .catch(options.onTrouble)
        .finally(() => {
          running--
        })
    },
  }
}

/**
 * Asks both ways until they agree, or until they disagree within one moment. Where others write all the time no
 * moment lasts long enough; then both ways must have disagreed in every round.
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

function differenceOf(request: SampledRequest, fast: Answered, route: Answered): Difference {
  const [one, two] = [fieldsOf(fast), fieldsOf(route)]
  const names = [...new Set([...Object.keys(one), ...Object.keys(two)])]
  return {
    aid: request.authorization.split(':', 1)[0] as string,
    fast_path_status: fast.status,
    route_status: route.status,
    fields: names.filter((name) => JSON.stringify(one[name]) !== JSON.stringify(two[name])),
  }
}

/** A body that can't be read differs as a whole. */
function fieldsOf({ body }: Answered): Record<string, unknown> {
  try {
    return JSON.parse(body) as Record<string, unknown>
  } catch {
    return { body }
  }
}
