import { randomUUID } from 'node:crypto'
import { Failure, OperatorError } from '../../../../errors.ts'
import { ProviderError } from '../../provider-error.ts'
import { createStripeApi } from '../api.ts'
import { connectStripe, type StripeOptions } from '../connection.ts'
import { createRehearsalApi } from './api.ts'
import { cleanupStep } from './cleanup.ts'
import { contestedSteps } from './disputes.ts'
import { listSteps } from './lists.ts'
import { pageSteps } from './pages.ts'
import { permissionSteps } from './permissions.ts'
import { type Answer, createRecorder } from './recorder.ts'
import { refusalSteps } from './refusals.ts'
import { accountSteps, chargeSteps, refundSteps } from './sale.ts'
import type { Expected, Rehearsal, Step } from './step.ts'
import { webhookStep } from './webhook.ts'

/** The result of one step against the real Stripe. */
export interface RehearsalStep {
  name: string
  /**
   * `differs`: Gatehouse can go on, but Stripe did something else than the imitation that all tests run against.
   * `unknown`: the key lacks the permission to find out.
   */
  status: 'ok' | 'differs' | 'failed' | 'unknown'
  /** What Gatehouse makes of Stripe's answers. */
  message: string
  /** What the imitation does, if Stripe did something else. */
  expected?: string
  answers: Answer[]
}

export interface RehearsalOptions extends Pick<StripeOptions, 'secretKey' | 'api' | 'timeout'> {
  /** Where Stripe should send its events; undefined if it can't reach this installation. */
  webhookUrl: string | undefined
  /** A key whose permissions are tried. */
  restrictedKey?: string | undefined
  /** How long a step waits for what Stripe does later. */
  waitMs?: number
  /** Called after each step. */
  onStep?: (done: number, total: number) => void
}

const WAIT_MS = 20_000

/**
 * Runs through whole sales with Stripe's test keys, so no money moves, and through all that Stripe may refuse. Each
 * step is tried even if another has failed; one that needs the result of a failed step fails too.
 */
export async function runRehearsal(options: RehearsalOptions): Promise<RehearsalStep[]> {
  const { secretKey, restrictedKey } = options
  requireTestKey(secretKey, 'the sale check needs test keys')
  if (restrictedKey !== undefined) {
    requireTestKey(restrictedKey, 'the restricted key is no test key')
  }
  const { rehearsal, connect } = prepare(options)
  const steps: readonly Step[] = [
    ...accountSteps,
    ...pageSteps,
    ...chargeSteps,
    ...refundSteps,
    ...refusalSteps,
    ...contestedSteps,
    ...listSteps,
    ...(restrictedKey === undefined ? [] : permissionSteps(connect(restrictedKey, 'the input'))),
    webhookStep,
    cleanupStep,
  ]
  const done: RehearsalStep[] = []
  for (const step of steps) {
    done.push(await tryStep(step, rehearsal))
    options.onStep?.(done.length, steps.length)
  }
  return done
}

function requireTestKey(key: string, message: string): void {
  if (!/^.k_test_/.test(key)) throw new OperatorError(message)
}

function prepare({ secretKey, api, timeout, webhookUrl, waitMs = WAIT_MS }: RehearsalOptions) {
  const recorder = createRecorder()
  const connect = (key: string, keySetting?: string) =>
    connectStripe({
      secretKey: key,
      keySetting,
      api,
      wrapHttp: recorder.wrapHttp,
      ...(timeout === undefined ? {} : { timeout }),
    })
  const connection = connect(secretKey)
  const rehearsal: Rehearsal = {
    run: `rehearsal-${randomUUID()}`,
    api: createStripeApi(connection),
    more: createRehearsalApi(connection),
    recorder,
    webhookUrl,
    apiOverride: api,
    waitMs,
    sale: {},
  }
  return { rehearsal, connect }
}

async function tryStep(step: Step, rehearsal: Rehearsal): Promise<RehearsalStep> {
  const { name, expected = {} } = step
  const result = await runStep(step, rehearsal)
  const answers = rehearsal.recorder.takeAnswers()
  if (typeof result === 'string') {
    return { name, ...judge(expected, result, mainAnswer(answers)), message: result, answers }
  }
  return {
    name,
    ...judgeError(step, result, mainAnswer(answers)),
    message: result.message,
    answers,
  }
}

async function runStep({ run }: Step, rehearsal: Rehearsal): Promise<string | ProviderError> {
  try {
    return await run(rehearsal)
  } catch (error) {
    if (error instanceof ProviderError) return error
    // Other errors end a step, and not the rehearsal. Their texts may contain anything.
    const reason = error instanceof Failure ? error.code : (error as Error).name
    return new ProviderError(`Gatehouse gives up: ${reason}`)
  }
}

/** The refusal, if there is one. After it, Gatehouse may look what was done, and cancel it. */
const mainAnswer = (answers: readonly Answer[]) =>
  answers.find(({ status }) => status >= 400) ?? answers.at(-1)

/** An error is right where a refusal is expected that Gatehouse has no name for. */
function judgeError(
  { expected = {}, isOptional }: Step,
  error: ProviderError,
  got: Answer | undefined,
): Pick<RehearsalStep, 'status' | 'expected'> {
  if (error.kind === 'no_permission' && isOptional) return { status: 'unknown' }
  const { answer, outcome } = expected
  const isRefusal = got !== undefined && got.status >= 400 && got.status === answer?.status
  return isRefusal && outcome === undefined
    ? judge(expected, error.message, got)
    : { status: 'failed' }
}

function judge(
  { answer, outcome, observed }: Expected,
  message: string,
  got: Answer | undefined,
): Pick<RehearsalStep, 'status' | 'expected'> {
  if (outcome !== undefined && outcome !== message) return { status: 'failed', expected: outcome }
  if (observed !== undefined && observed !== message) {
    return { status: 'differs', expected: observed }
  }
  const names = Object.keys(answer ?? {}) as (keyof NonNullable<typeof answer>)[]
  if (names.every((name) => got?.[name] === answer?.[name])) return { status: 'ok' }
  const parts = names.map((name) => `${name} ${answer?.[name] ?? 'none'}`)
  return { status: 'differs', expected: parts.join(', ') }
}
