import type Stripe from 'stripe'

/** What is kept of one of Stripe's answers: codes and Stripe's ids, never texts, keys or what was sent. */
export interface Answer {
  /** For example `POST /v1/payment_intents/:id/cancel`. */
  call: string
  /** 0 if there was no answer. */
  status: number
  type?: string
  code?: string
  decline_code?: string
  param?: string
  message_code?: string
  /** Stripe repeated an earlier answer because of the idempotency key. */
  replayed?: true
  /** The permission that a restricted key lacks. */
  permission?: string
  /** What was created or read, and its state: `pi_1 succeeded`. */
  object?: string
  /** Stripe's id of the request. */
  request?: string
}

interface Made {
  kind: string
  id: string
  status: unknown
}

/** Records Stripe's answers to the requests that pass through it. */
export type Recorder = ReturnType<typeof createRecorder>

export function createRecorder() {
  let answers: Answer[] = []
  const made = new Map<string, Made>()
  return {
    wrapHttp: (http: Stripe.HttpClient): Stripe.HttpClient => ({
      getClientName: () => http.getClientName(),
      async makeRequest(...request) {
        const [, , path, method] = request
        const call = `${method} ${routeOf(path)}`
        try {
          const response = await http.makeRequest(...request)
          const content = (await response.toJSON()) as Content
          const answer = readAnswer(call, response, content)
          answers.push(answer)
          if (method === 'POST' && answer.status < 300) remember(made, content)
          return response
        } catch (error) {
          answers.push({ call, status: 0 })
          throw error
        }
      },
    }),
    /** Returns the answers since the last call. */
    takeAnswers(): Answer[] {
      const taken = answers
      answers = []
      return taken
    },
    /** Returns the ids of all objects of a kind that were created, and were in this state at last. */
    madeOf: (kind: string, status?: string): string[] =>
      [...made.values()]
        .filter((one) => one.kind === kind && (status === undefined || one.status === status))
        .map(({ id }) => id),
  }
}

/** Replaces ids, and leaves out the query. */
const routeOf = (path: string) =>
  (path.split('?')[0] as string)
    .split('/')
    .map((part) => (/[A-Z0-9]/.test(part.slice(2)) || /^[a-z]+_test_/.test(part) ? ':id' : part))
    .join('/')

interface Content {
  [field: string]: unknown
  error?: { [field: string]: unknown }
}

function readAnswer(call: string, response: Stripe.HttpClientResponse, content: Content): Answer {
  const headers = response.getHeaders() as Record<string, string>
  const { error = {} } = content
  const found = {
    type: codeIn(error.type),
    code: codeIn(error.code),
    decline_code: codeIn(error.decline_code),
    param: codeIn(error.param),
    message_code: codeIn(error.message_code),
    permission: permissionIn(error.message),
    object: objectIn(content),
    request: codeIn(headers['request-id']),
  }
  const known = Object.entries(found).filter(([, value]) => value !== undefined)
  return {
    call,
    status: response.getStatusCode(),
    ...Object.fromEntries(known),
    ...(headers['idempotent-replayed'] === 'true' ? { replayed: true } : {}),
  }
}

/** Codes, names of parameters and ids contain no personal data. Anything else is dropped. */
const codeIn = (value: unknown) =>
  typeof value === 'string' && /^[\w.[\]]{1,100}$/.test(value) ? value : undefined

/** Stripe names the missing permission only in its message, which also contains a part of the key. */
const permissionIn = (message: unknown) =>
  typeof message === 'string' ? /'(rak_[a-z_]{1,80})'/.exec(message.slice(0, 2000))?.[1] : undefined

function objectIn({ id, status }: Content): string | undefined {
  const parts = [codeIn(id), codeIn(status)].filter((part) => part !== undefined)
  return parts.length === 0 ? undefined : parts.join(' ')
}

function remember(made: Map<string, Made>, { object, id, status }: Content): void {
  if (typeof object !== 'string' || typeof id !== 'string') return
  made.set(id, { kind: object, id, status })
}

/** For example `402 card_error, code card_declined, decline_code lost_card`. */
export function describeAnswer(answer: Answer): string {
  const { status, type, object, replayed, permission, request } = answer
  const codes = (['code', 'decline_code', 'param', 'message_code'] as const).flatMap((name) =>
    answer[name] === undefined ? [] : [`${name} ${answer[name]}`],
  )
  const first = status === 0 ? 'no answer' : [status, type].filter(Boolean).join(' ')
  return [
    first,
    ...codes,
    ...(object === undefined ? [] : [object]),
    ...(permission === undefined ? [] : [`lacks ${permission}`]),
    ...(replayed ? ['replayed'] : []),
    ...(request === undefined ? [] : [request]),
  ].join(', ')
}
