import type { EnvironmentName } from '../context.ts'
import type { Role } from '../domain/staff/staff.ts'
import { signInAs, type TestStaff } from './dashboard-api.ts'
import type { TestDatabase, TestInstallation } from './databases.ts'
import { type DownloadFixture, startDownloadFixture } from './downloads/fixture.ts'
import { useFixture, useFreshFixture } from './fixtures.ts'
import { openPageShop, type PageShop } from './payments/page-shop.ts'
import { closeShop, openShop, type Shop } from './payments/shop.ts'
import { startS3, type TestS3 } from './s3/s3.ts'
import {
  startTestService,
  type TestApplication,
  type TestService,
  type TestServiceOptions,
} from './service.ts'
import { startSmtp, type TestSmtp } from './smtp/smtp.ts'
import { newOwner, newStaff, type TestMember } from './staff.ts'
import { type FakeStripe, type FakeStripeOptions, startFakeStripe } from './stripe/fake-stripe.ts'
import { startReceiver, type TestReceiver } from './webhooks/receiver.ts'
import { createTestSender, type TestSender } from './webhooks/sending.ts'

export interface UseServiceOptions extends TestServiceOptions {
  /** Whether the invariants must hold after the tests. True by default, unless the service shares an installation. */
  checksInvariants?: boolean
}

/** A function is called when the service starts, so that it can use other fixtures. */
type Deferred<T> = T | (() => T)

/** Runs a service for the tests of the current `describe` block. */
export function useService(
  database: TestDatabase,
  options: Deferred<UseServiceOptions> = {},
): TestService {
  return useFixture(...serviceFixture(database, options))
}

/** Runs a new service for each test. */
export function useFreshService(
  database: TestDatabase,
  options: Deferred<UseServiceOptions> = {},
): TestService {
  return useFreshFixture(...serviceFixture(database, options))
}

function serviceFixture(database: TestDatabase, options: Deferred<UseServiceOptions>) {
  let isChecked = true
  async function start(): Promise<TestService> {
    const used = typeof options === 'function' ? options() : options
    isChecked = used.checksInvariants ?? used.installation === undefined
    return await startTestService(database, used)
  }
  async function stop(service: TestService): Promise<void> {
    try {
      if (isChecked) await service.requireInvariants()
    } finally {
      await service.stop()
    }
  }
  return [start, stop] as const
}

export interface UseApplicationOptions {
  /** Production by default. */
  environment?: EnvironmentName
  /** The rids of its resources. */
  resources?: readonly string[]
}

/** Creates an application for the tests of the current `describe` block. */
export function useApplication(
  service: TestService,
  options: UseApplicationOptions = {},
): TestApplication {
  return useFixture(() => newApplication(service, options))
}

/** Creates a new application for each test. */
export function useFreshApplication(
  service: TestService,
  options: UseApplicationOptions = {},
): TestApplication {
  return useFreshFixture(() => newApplication(service, options))
}

function newApplication(
  service: TestService,
  { environment, resources }: UseApplicationOptions,
): Promise<TestApplication> {
  return withResources(service.newApplication(environment), resources)
}

async function withResources<T extends TestApplication>(
  creating: Promise<T>,
  resources: readonly string[] = [],
): Promise<T> {
  const application = await creating
  for (const rid of resources) await application.addResource(rid)
  return application
}

/** Opens a shop in the sandbox, with these resources, for the tests of the current `describe` block. */
export const useShop = (service: TestService, ...resources: string[]): Shop =>
  useFixture(() => withResources(openShop(service), resources))

/** Opens a new shop for each test. */
export const useFreshShop = (service: TestService, ...resources: string[]): Shop =>
  useFreshFixture(() => withResources(openShop(service), resources), closeShop)

/** Opens a shop that is used through its pages. */
export const usePageShop = (service: TestService, ...resources: string[]): PageShop =>
  useFixture(() => withResources(openPageShop(service), resources))

/** Runs a service with a shop that is used through its pages. */
export function useServiceWithPageShop(database: TestDatabase) {
  const service = useService(database)
  return { service, shop: usePageShop(service) }
}

/** Signs a new staff member in. */
export const useSignedIn = (service: TestService, role: Role): TestStaff =>
  useFixture(() => signInAs(service, role))

/** Creates the first owner of a service. */
export const useOwner = (service: TestService): TestMember => useFixture(() => newOwner(service))

/** Creates one staff member of each role. */
export const useStaff = (service: TestService): Record<Role, TestMember> =>
  useFixture(() => newStaff(service))

/** Runs a service with commands for it and files to use with them. */
export const useDownloadFixture = (database: TestDatabase): DownloadFixture =>
  useFixture(
    () => startDownloadFixture(database),
    (fixture) => fixture.stop(),
  )

/** Creates an empty installation. */
export const useInstallation = (database: TestDatabase): TestInstallation =>
  useFixture(database.createEmpty, (installation) => installation.remove())

/** Creates an installation with all tables and no rows, which is faster than migrating an empty one. */
export const useMigratedInstallation = (database: TestDatabase): TestInstallation =>
  useFixture(database.createMigrated, (installation) => installation.remove())

/** Creates a new empty installation for each test. */
export const useFreshInstallation = (database: TestDatabase): TestInstallation =>
  useFreshFixture(database.createEmpty, (installation) => installation.remove())

/** Creates a new installation with all tables and no rows for each test. */
export const useFreshMigratedInstallation = (database: TestDatabase): TestInstallation =>
  useFreshFixture(database.createMigrated, (installation) => installation.remove())

/** Runs an SMTP server. */
export const useSmtp = (options?: Parameters<typeof startSmtp>[0]): TestSmtp =>
  useFixture(
    () => startSmtp(options),
    (smtp) => smtp.stop(),
  )

/** Runs a fake of Stripe. */
export const useFakeStripe = (options?: FakeStripeOptions): FakeStripe =>
  useFixture(
    () => startFakeStripe(options),
    (fake) => fake.stop(),
  )

/** Runs a new fake of Stripe for each test. */
export const useFreshFakeStripe = (options?: FakeStripeOptions): FakeStripe =>
  useFreshFixture(
    () => startFakeStripe(options),
    (fake) => fake.stop(),
  )

/** Runs a receiver of webhooks. */
export const useReceiver = (): TestReceiver =>
  useFixture(startReceiver, (receiver) => receiver.close())

/** Creates a sender for the webhooks of production, which sends when a test says so. */
export const useWebhookSender = (service: TestService): TestSender =>
  useFixture(
    async () => createTestSender(service, service.ctx.environments.production),
    async (sender) => sender.close(),
  )

/** Runs an S3 server. */
export const useS3 = (...options: Parameters<typeof startS3>): TestS3 =>
  useFixture(
    () => startS3(...options),
    (s3) => s3.stop(),
  )
