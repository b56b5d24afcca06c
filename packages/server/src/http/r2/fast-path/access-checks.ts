import type { FastifyBaseLogger } from 'fastify'
import type { Prefixes } from '../../../config/addresses.ts'
import type { Environment } from '../../../context.ts'
import { dataVersionOf } from '../../../db/data-version.ts'
import type { Seconds } from '../../../db/tables.ts'
import type { InFlight, Lifecycle } from '../../arrival.ts'
import type { RequestLimits } from '../../limits.ts'
import type { FastPathMetrics } from '../../metrics/fast-path-metrics.ts'
import type { ResponseMetrics } from '../../metrics/response-metrics.ts'
import type { AccessJson } from './access-lookup.ts'
import { createRecordLookups, findRecords, type RecordLookups } from './record-lookups.ts'
import {
  createRequestVerifier,
  type RequestVerifier,
  type VerifiedAccessRequest,
} from './request-verifier.ts'
import {
  accessResponseOf,
  createResponder,
  type PendingRequest,
  type Responder,
  sampledOf,
} from './responses.ts'
import { type AccessResponse, createSample, type Sample, type SampledRequest } from './sample.ts'

export interface AccessCheckOptions {
  prefixes: Prefixes
  /** The headers that every response of the service has. */
  headers: Readonly<Record<string, string>>
  lifecycle: Lifecycle
  limits: RequestLimits
  inFlight: InFlight
  responseMetrics: ResponseMetrics
  fastPathMetrics: FastPathMetrics
  /** Responds to a request as if the fast path did not exist. */
  askRoute(request: SampledRequest): Promise<AccessResponse>
  log: FastifyBaseLogger
}

interface SampleSetting {
  /** One in this many responses is compared with the route's; 0 for none. */
  sampleEvery: number
}

/** A verified request whose record must be looked up. */
interface Lookup {
  pending: PendingRequest
  verified: VerifiedAccessRequest
  /** The database's version after the request arrived and before the record is looked up. */
  dataVersion: number | undefined
}

/** The services that are needed to accept a request. */
interface VerificationServices {
  requestVerifier: RequestVerifier
  limits: RequestLimits
  calls: Environment['calls']
  passToRoute(pending: PendingRequest): void
}

export interface AccessChecks {
  /** Answers requests that arrived together. */
  respond(batch: readonly PendingRequest[]): void
  /** Whether a lookup has been taking too long. */
  areStuck(): boolean
}

/** Verifies and answers access checks. Checks that it can't answer are given to `passToRoute`. */
export function createAccessChecks(
  env: Environment,
  options: AccessCheckOptions & SampleSetting,
  passToRoute: (pending: PendingRequest) => void,
): AccessChecks {
  const { database, keyring, calls, refusals, clock } = env
  const { limits, log } = options
  const prefix = options.prefixes[env.name]
  const requestVerifier = createRequestVerifier(keyring, prefix)
  const responder = createResponder({ ...options, route: `${prefix}/r2/access` })
  const services = { requestVerifier, limits, calls, passToRoute }
  const sample = createRouteSample({ database, clock }, requestVerifier, options)
  const lookups = createAccessLookups(database, { respond, passToRoute, responder, clock, log })

  function respond(
    pending: PendingRequest,
    verified: VerifiedAccessRequest,
    record: AccessJson | undefined,
    now: Seconds,
  ): void {
    const accessResponse = accessResponseOf(verified, record, now, pending.requestId)
    responder.send(pending, accessResponse)
    if (accessResponse.status === 404) {
      const [aid, rid, userRef] = verified.key as [string, string, string]
      refusals.add(aid, rid, userRef, record?.ends)
    }
    if (sample.isDue()) sample.compare(sampledOf(pending), accessResponse)
  }

  function respondToAll(accepted: readonly Lookup[]): void {
    const now = clock()
    for (const lookup of accepted) {
      const { pending, verified, dataVersion } = lookup
      if (isCurrent(verified, dataVersion, now)) respond(pending, verified, verified.record, now)
      else lookups.add(lookup)
    }
    lookups.start()
  }

  return {
    respond(batch) {
      const state = readState(env)
      if (state === undefined) {
        for (const pending of batch) passToRoute(pending)
        return
      }
      const accepted = acceptAll(batch, state.dataVersion, services)
      if (state.isClockCurrent) respondToAll(accepted)
      else if (accepted.length > 0) {
        env.refreshClock().then(
          () => respondToAll(accepted),
          () => {
            for (const { pending } of accepted) passToRoute(pending)
          },
        )
      }
    },
    areStuck: lookups.isStuck,
  }
}

/** The values that decide whether a cached record may be used; undefined while the database is unavailable. */
function readState(env: Environment) {
  try {
    return { dataVersion: env.database.dataVersion(), isClockCurrent: env.isClockCurrent() }
  } catch {
    return undefined
  }
}

/**
 * Whether the result that was looked up for a request is still correct: the data is the same, and the record has not
 * ended since. When a record ends, that of a pass may take its place; if there was no live record, none becomes live by
 * itself. If several passes open the resource, the one that ends last was chosen, so that no other outlives it.
 */
function isCurrent(
  { dataVersion, lookedUp, record }: VerifiedAccessRequest,
  currentVersion: number | undefined,
  now: Seconds,
): boolean {
  if (currentVersion === undefined || dataVersion !== currentVersion || now < lookedUp) return false
  return record === undefined || record.ends <= lookedUp || record.ends > now
}

/** Returns those requests that are valid and within all limits. The route says what is wrong with the others. */
function acceptAll(
  batch: readonly PendingRequest[],
  dataVersion: number | undefined,
  { requestVerifier, limits, calls, passToRoute }: VerificationServices,
): readonly Lookup[] {
  // Each step runs for all requests before the next step: code that stays in the CPU cache takes a third of the time.
  const verifiedOnes = batch.map(({ url, authorization }) =>
    requestVerifier.verify(url, authorization),
  )
  const today = calls.today()
  const accepted: Lookup[] = []
  for (const [i, pending] of batch.entries()) {
    const verified = verifiedOnes[i]
    if (!verified || !tryCount(limits, pending, verified.aid)) {
      passToRoute(pending)
      continue
    }
    if (verified.usedOn !== today) {
      verified.usedOn = today
      calls.used(verified.keyId)
    }
    accepted.push({ pending, verified, dataVersion })
  }
  return accepted
}

/** Counts a request for its address and its application, like the route. Returns false, and counts it for neither, if
 * one of them has reached its limit. */
function tryCount(
  { perAddress, perApplication }: RequestLimits,
  pending: PendingRequest,
  aid: string,
): boolean {
  if (perAddress.isReached(pending.address) || perApplication.isReached(aid)) return false
  perAddress.count(pending.address)
  perApplication.count(aid)
  pending.isCounted = true
  return true
}

interface LookupHandlers {
  respond(
    pending: PendingRequest,
    verified: VerifiedAccessRequest,
    record: AccessJson | undefined,
    now: Seconds,
  ): void
  passToRoute(pending: PendingRequest): void
  responder: Responder
  clock(): Seconds
  log: FastifyBaseLogger
}

/** Looks up the records of verified requests, and remembers each for as long as the data stays the same. */
function createAccessLookups(
  database: Environment['database'],
  { respond, passToRoute, responder, clock, log }: LookupHandlers,
): RecordLookups<Lookup> {
  return createRecordLookups<Lookup>(database, {
    keyOf: ({ verified }) => verified.key,
    clock,
    onFound({ pending, verified, dataVersion }, record, now) {
      if (dataVersion !== undefined) {
        verified.dataVersion = dataVersion
        verified.lookedUp = now
        verified.record = record
      }
      respond(pending, verified, record, now)
    },
    onOutage(all, outage, err) {
      log.error({ err, requests: all.length }, 'the database is not available')
      for (const { pending } of all) responder.refuse(pending, outage)
    },
    onError(all) {
      for (const { pending } of all) passToRoute(pending)
    },
  })
}

/** Compares some responses with the route's, and switches the fast path off if they differ. */
function createRouteSample(
  { database, clock }: Pick<Environment, 'database' | 'clock'>,
  requestVerifier: RequestVerifier,
  { sampleEvery, askRoute, fastPathMetrics, log }: AccessCheckOptions & SampleSetting,
): Sample {
  /** Takes the same steps for a request that has already been answered, to compare the responses. */
  async function askFastPath({ routedUrl, authorization }: SampledRequest) {
    const verified = requestVerifier.verify(routedUrl, authorization)
    if (!verified) return undefined
    const now = clock()
    if (isCurrent(verified, database.dataVersion(), now))
      return accessResponseOf(verified, verified.record, now)
    const [record] = await findRecords(database, [verified.key], now)
    return accessResponseOf(verified, record, now)
  }

  return createSample({
    every: sampleEvery,
    askFastPath,
    askRoute,
    moment: async () => `${clock()} ${await dataVersionOf(database)}`,
    onCompared: fastPathMetrics.compared,
    onDifference(difference) {
      fastPathMetrics.differed()
      log.error(difference, 'the fast path and the route disagree: the fast path is switched off')
    },
    onTrouble: (err) => log.warn({ err }, 'the fast path could not be compared with the route'),
  })
}
