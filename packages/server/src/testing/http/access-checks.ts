import { afterEach, vi } from 'vitest'
import type { TestDatabase } from '../databases.ts'
import { useFreshApplication, useService } from '../use-service.ts'
import { sendSigned } from './requests.ts'

/** Runs a service, and checks access of a new application in each test. */
export function useAccessChecks(database: TestDatabase) {
  const service = useService(database)
  const app = useFreshApplication(service, { resources: ['news'] })
  afterEach(() => {
    vi.useRealTimers()
    vi.restoreAllMocks()
  })

  const lookUps = () => vi.spyOn(service.ctx.environments.production.database, 'lookUp')
  /** Without this, a request that arrives while the keys are being refreshed takes the route. */
  const keepKeys = () =>
    vi.spyOn(app.environment.keyring, 'refreshIfStale').mockReturnValue(undefined)
  const check = (parameters: Record<string, string>, message = {}) =>
    sendSigned(app, 'GET', '/r2/access', parameters, message)
  return { service, app, lookUps, keepKeys, check }
}
