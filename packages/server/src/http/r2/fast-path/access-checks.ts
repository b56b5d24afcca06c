import type { FastifyBaseLogger } from 'fastify'
import type { Prefixes } from '../../../config/addresses.ts'
import type { Environment } from '../../../context.ts'
import { dataVersionOf } from '../../../db/data-version.ts'
import type { InFlight, Lifecycle } from '../../arrival.ts'
import type { Limiter } from '../../limits.ts'
import type { FastPathMetrics } from '../../metrics/fast-path-metrics.ts'
import type { ResponseMetrics } from '../../metrics/response-metrics.ts'
import type { AccessJson } from './access-lookup.ts'
import { createRecordLookups, findRecords } from './record-lookups.ts'
import { answerOf, createResponder, type PendingRequest, sampledOf } from './responses.ts'
import { type Answered, createSample, type Sample, type SampledRequest } from './sample.ts'
import {
  createVerifiedRequests,
  type VerifiedRequest,
  type VerifiedRequests,
} from './verified-requests.ts'

export interface AccessCheckOptions {
  prefixes: Prefixes
  lifecycle: Lifecycle
  perApplication: Limiter
  inFlight: InFlight
  answers: ResponseMetrics
  figures: FastPathMetrics
  /** Responds to a request as if the fast path did not exist. */
  askRoute(request: SampledRequest): Promise<Answered>
  log: FastifyBaseLogger
}

interface SampleSetting {
  /** One in this many responses is compared with the route's; 0 for none. */
  sampleEvery: number
}

/** A verified request whose record must be looked up. */
interface Lookup {
  pending: PendingRequest
  verified: VerifiedRequest
  /** The database's version after the request arrived and before the record is looked up. */
  mark: number | undefined
}

export interface AccessChecks {
  /** Answers requests that arrived together. */
  answer(batch: readonly PendingRequest[]): void
  /** Whether a lookup has been taking too long. */
  areStuck(): boolean
}

/** Verifies and answers access checks. Those that it can't answer are given to `leave`. */
export function createAccessChecks(
  { database, keyring, calls, clock }: Environment,
  options: AccessCheckOptions & SampleSetting,
  leave: (pending: PendingRequest) => void,
): AccessChecks {
  const { prefixes, perApplication, log } = options
  const verifiedRequests = createVerifiedRequests(keyring, prefixes.production)
  const responder = createResponder({ ...options, route: `${prefixes.production}/r2/access` })
  const sample = createRouteSample({ database, clock }, verifiedRequests, options)
  const lookups = createRecordLookups<Lookup>(database, {
    keyOf: ({ verified }) => verified.key,
    onFound({ pending, verified, mark }, record) {
      if (mark !== undefined) {
        verified.mark = mark
        verified.record = record
      }
      answer(pending, verified, record)
    },
    onOutage(all, outage, err) {
      log.error({ err, requests: all.length }, 'the database is not available')
      for (const { pending } of all) responder.refuse(pending, outage)
    },
    onError(all) {
      for (const { pending } of all) leave(pending)
    },
  })

  function verify({ url, authorization }: PendingRequest): VerifiedRequest | undefined {
    const verified = verifiedRequests.of(url, authorization)
    try {
      if (verified) perApplication.count(verified.aid)
      return verified
    } catch {
      return undefined
    }
  }

  function answer(
    pending: PendingRequest,
    verified: VerifiedRequest,
    record: AccessJson | undefined,
  ): void {
    const answered = answerOf(verified, record, clock())
    responder.send(pending, answered)
    if (sample.isDue()) sample.compare(sampledOf(pending), answered)
  }

  function answerAll(batch: readonly PendingRequest[], mark: number | undefined): void {
    // Each step runs for all requests before the next step: code that stays in the CPU cache takes a third of the time.
    const verifiedOnes = batch.map(verify)
    const today = calls.today()
    for (const [i, pending] of batch.entries()) {
      const verified = verifiedOnes[i]
      if (verified && verified.usedOn !== today) {
        verified.usedOn = today
        calls.used(verified.keyId)
      }
      if (!verified) leave(pending)
      else if (mark !== undefined && verified.mark === mark)
        answer(pending, verified, verified.record)
      else lookups.add({ pending, verified, mark })
    }
    lookups.start()
  }

  return {
    answer(batch) {
      let mark: number | undefined
      try {
        mark = database.dataVersion()
      } catch {
        for (const pending of batch) leave(pending)
        return
      }
      answerAll(batch, mark)
    },
    areStuck: lookups.isStuck,
  }
}

/** Compares some responses with the route's, and switches the fast path off if they differ. */
function createRouteSample(
  { database, clock }: Pick<Environment, 'database' | 'clock'>,
  verifiedRequests: VerifiedRequests,
  { sampleEvery, askRoute, figures, log }: AccessCheckOptions & SampleSetting,
): Sample {
  /** Takes the same steps for a request that has already been answered, to compare the responses. */
  async function askFastPath({ url, authorization }: SampledRequest) {
    const verified = verifiedRequests.of(url, authorization)
    if (!verified) return undefined
    const mark = database.dataVersion()
    if (mark !== undefined && verified.mark === mark)
      return answerOf(verified, verified.record, clock())
    const [record] = await findRecords(database, [verified.key])
    return answerOf(verified, record, clock())
  }

  return createSample({
    every: sampleEvery,
    askFastPath,
    askRoute,
    moment: async () => `${clock()} ${await dataVersionOf(database)}`,
    onCompared: figures.compared,
    onDifference(difference) {
      figures.differed()
      log.error(difference, 'the fast path and the route disagree: the fast path is switched off')
    },
    onTrouble: (err) => log.warn({ err }, 'the fast path could not be compared with the route'),
  })
}
