import type { Command } from 'commander'
import type { Config } from '../../config/config.ts'
import { type Context, createContext, ENVIRONMENTS, type EnvironmentName } from '../../context.ts'
import { readSettings, requireInstallation, toUserError } from '../context.ts'
import { formatRecord, type Output, oneLine, print } from '../output.ts'
import { checkApplications } from './applications.ts'
import {
  checkAddress,
  checkClock,
  checkDatabases,
  checkDeeply,
  checkEnvFile,
  checkMasterKey,
  type Finding,
  failed,
} from './checks.ts'
import { checkConnectionLimits } from './connection-limits.ts'
import { checkDisk } from './disk.ts'
import { checkErasures } from './erasures.ts'
import { checkFiles } from './files.ts'
import { checkHold } from './hold.ts'
import { checkMail, checkStaffMail } from './mail.ts'
import { checkPasskeys } from './passkeys.ts'
import { checkPayments } from './payments.ts'
import { checkConnections } from './plain-connections.ts'
import { checkPublicAddress } from './public-address.ts'
import { checkScanner } from './scanner.ts'

export function addDoctorCommand(program: Command): void {
  program
    .command('doctor')
    .description(
      'check the configuration, databases, master key, applications, email, payments, files, disk and clock',
    )
    .option('--deep', 'also read all data and files, and check their integrity')
    .action(doctor)
}

async function doctor(options: Output & { deep?: boolean }): Promise<void> {
  const { configuration, checks } = await examine(options.deep === true)
  const good = checks.every(({ status }) => status !== 'failed')
  print(options, { ok: good, configuration, checks }, () => {
    const summary = configuration ? `${formatRecord(configuration)}\n\n` : ''
    return `${summary}${checks.map(lineOf).join('\n')}`
  })
  if (!good) process.exitCode = 1
}

function lineOf({ check, status, message, todo }: Finding): string {
  const line = `${status.padEnd(8)} ${check.padEnd(20)} ${oneLine(message)}`
  return todo === undefined ? line : `${line}\n${' '.repeat(30)}-> ${todo}`
}

interface Report {
  configuration?: Record<string, string>
  checks: Finding[]
}

async function examine(deep: boolean): Promise<Report> {
  let config: Config
  try {
    config = readSettings()
  } catch (error) {
    return { checks: [stopped('configuration', error)] }
  }
  let ctx: Context
  try {
    requireInstallation(config)
    ctx = await createContext(config)
  } catch (error) {
    const configuration = summary(config, undefined)
    return { configuration, checks: [stopped('databases and master key', error)] }
  }
  try {
    return { configuration: summary(config, ctx), checks: await checkAll(ctx, deep) }
  } finally {
    await ctx.close()
  }
}

function stopped(check: string, error: unknown): Finding {
  return failed(check, toUserError(error).message, 'fix this first, then run doctor again')
}

async function checkAll(ctx: Context, deep: boolean): Promise<Finding[]> {
  const findings = [
    ...(await checkHold(ctx)),
    checkAddress(ctx),
    ...checkEnvFile(process.cwd()),
    ...checkConnections(ctx),
    ...(await checkDatabases(ctx)),
    ...(await checkConnectionLimits(ctx)),
    await checkMasterKey(ctx),
    await checkApplications(ctx),
    ...(await checkPublicAddress(ctx)),
  ]
  for (const name of ENVIRONMENTS) {
    const env = ctx.environments[name]
    findings.push(...(await checkMail(env)), ...(await checkPayments(env)))
    findings.push(...(await checkErasures(env)), ...(await checkFiles(ctx, env, deep)))
  }
  findings.push(...(await checkStaffMail(ctx)), ...(await checkPasskeys(ctx)))
  findings.push(...(await checkScanner(ctx)), await checkDisk(ctx.config.dataFolder))
  findings.push(await checkClock(ctx.environments.production))
  return deep ? [...findings, ...(await checkDeeply(ctx))] : findings
}

/** Removes the credentials from a URL. */
function place(text: string): string {
  const { protocol, host, pathname } = new URL(text)
  return `${protocol}//${host}${pathname}`
}

/** Describes the settings in use. Without a context, what is stored in the databases is not known. */
function summary(config: Config, ctx: Context | undefined): Record<string, string> {
  const { databaseUrl, hostNames, masterKeys, dataFolder, s3 } = config
  return {
    listens: `${config.host} port ${config.port}`,
    base_url: config.baseUrl ?? '(not set)',
    hosts: [hostNames.production, hostNames.sandbox].filter(Boolean).join(', ') || '(none)',
    data: dataFolder,
    database: databaseUrl === undefined ? `SQLite in ${dataFolder}` : place(databaseUrl),
    mail_production: mailIn(config, ctx, 'production'),
    mail_sandbox: mailIn(config, ctx, 'sandbox'),
    mail_from: ctx?.environments.production.mailFrom ?? config.mailFrom,
    payments_production: paymentsIn(config, ctx, 'production') ? 'Stripe' : '(not configured)',
    payments_sandbox: paymentsIn(config, ctx, 'sandbox') ? 'Stripe, with test keys' : 'test cards',
    files: s3 ? `S3 bucket ${s3.bucket}` : `${dataFolder}/files`,
    master_key: masterKeys ? 'GATEHOUSE_MASTER_KEY' : `${dataFolder}/master.key`,
    trusted_proxies: config.trustedProxies.join(', ') || '(none)',
  }
}

function mailIn(config: Config, ctx: Context | undefined, name: EnvironmentName): string {
  const url = ctx ? ctx.environments[name].connections.mail.smtpUrl : config.smtpUrl[name]
  return url === undefined ? 'kept, not sent' : place(url)
}

const paymentsIn = (config: Config, ctx: Context | undefined, name: EnvironmentName) =>
  ctx ? ctx.environments[name].connections.payments.keys : config.stripe[name]
