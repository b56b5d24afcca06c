import { createInterface } from 'node:readline/promises'
import type { Command } from 'commander'
import type { Context, Environment } from '../../context.ts'
import type { Db, Trx } from '../../db/database.ts'
import { erasePerson } from '../../domain/people/erase-person.ts'
import { mergeUsers } from '../../domain/people/merge.ts'
import { collectPerson, describePerson } from '../../domain/people/person-data.ts'
import { addReference, type Subject, setEmail } from '../../domain/users/change.ts'
import { email } from '../../domain/users/email.ts'
import { endLinks } from '../../domain/users/reader-links.ts'
import { type NameKind, resolveUsers } from '../../domain/users/resolve.ts'
import type { UserRow } from '../../domain/users/users.ts'
import { OperatorError } from '../../errors.ts'
import { userRef } from '../../fields.ts'
import { formatOptionalTime, formatTime } from '../../format-time.ts'
import { writePrivateFile } from '../../new-file.ts'
import { noteAudit } from '../audit/audited-command.ts'
import { ACTOR, getEnvironment, withContext } from '../context.ts'
import { aidOption, parseWith } from '../options.ts'
import { formatRecord, formatTable, type Output, print } from '../output.ts'

interface UserOptions extends Output {
  aid: string
  uid?: boolean
  userRef?: boolean
  email?: boolean
}

/** Adds the options of all user commands: the application, and how to interpret the given name. */
function addUserOptions(command: Command): Command {
  return command
    .addOption(aidOption().makeOptionMandatory())
    .option('--uid', '<user> is a uid')
    .option('--user-ref', '<user> is a reference')
    .option('--email', '<user> is an email address')
}

const USER = 'a uid, a reference or an email address'

export function addUserCommands(program: Command): void {
  const user = program.command('user').description('manage the users of an application')
  addUserOptions(user.command('show'))
    .argument('<user>', USER)
    .description('show a user and the access she has')
    .action((name, options) => withContext((ctx) => show(ctx, name, options)))
  addUserOptions(user.command('set-email'))
    .argument('<user>', USER)
    .argument('<address>', 'the new email address', parseWith(email))
    .option('--notify', 'send an email to the old and to the new address')
    .option('--never-theirs', 'the old address was wrong: end all links that were sent so far')
    .description('change the email address; uid, references and access stay')
    .action((name, address, options) =>
      withContext((ctx) => changeEmail(ctx, name, address, options)),
    )
  addUserOptions(user.command('add-ref'))
    .argument('<user>', USER)
    .argument('<ref>', 'the new reference', parseWith(userRef))
    .description('add a reference to a user')
    .action((name, ref, options) => withContext((ctx) => addRef(ctx, name, ref, options)))
  addUserOptions(user.command('end-links'))
    .argument('<user>', USER)
    .description('end all links of a user to files and subscriptions; access stays')
    .action((name, options) => withContext((ctx) => endAllLinks(ctx, name, options)))
  addUserOptions(user.command('merge'))
    .argument('<from>', USER)
    .argument('<into>', 'the user who stays')
    .description('merge two users who are one person: moves everything from one to the other')
    .action((from, into, options) => withContext((ctx) => merge(ctx, from, into, options)))
  addUserOptions(user.command('export'))
    .argument('<user>', USER)
    .option('--out <file>', 'file to write; default: standard output')
    .description('write everything stored about a person, as JSON')
    .action((name, options) => withContext((ctx) => exportUser(ctx, name, options)))
  addUserOptions(user.command('erase'))
    .argument('<user>', USER)
    .option('--yes', 'skip the confirmation')
    .description("end all access of a person and erase her data; can't be undone")
    .action((name, options) => withContext((ctx) => erase(ctx, name, options)))
}

function nameKindIn(options: UserOptions): NameKind | undefined {
  const asked = (['uid', 'userRef', 'email'] as const).filter((name) => options[name])
  if (asked.length > 1) throw new OperatorError('pass only one of --uid, --user-ref and --email')
  return asked[0] === 'userRef' ? 'user_ref' : asked[0]
}

const KIND_NAMES: Record<NameKind, string> = {
  uid: 'the uid',
  user_ref: 'a reference',
  email: 'the email address',
}

/** Returns the one user that a name refers to; throws if it is ambiguous. */
async function resolveUser(db: Db, name: string, options: UserOptions): Promise<UserRow> {
  const found = await resolveUsers(db, options.aid, name, nameKindIn(options))
  if (found.length === 1) {
    noteAudit({ uid: found[0].user.uid })
    return found[0].user
  }
  const meanings = found.map(({ kind, user }) => `${KIND_NAMES[kind]} of ${user.uid}`)
  throw new OperatorError(
    `${name} is ${meanings.join(' and ')}; choose one with --uid, --user-ref or --email`,
  )
}

type Person = Awaited<ReturnType<typeof describePerson>>

/** Changes a user in one transaction, and returns the user as changed. */
async function change<R>(
  env: Environment,
  name: string,
  options: UserOptions,
  work: (trx: Trx, who: Subject) => Promise<R>,
): Promise<{ person: Person; result: R }> {
  const { aid } = options
  return await env.database.write(async (trx) => {
    const { uid } = await resolveUser(trx, name, options)
    const result = await work(trx, { aid, uid, actor: ACTOR })
    return { person: await describePerson(trx, aid, uid), result }
  })
}

async function show(ctx: Context, name: string, options: UserOptions): Promise<void> {
  const { aid } = options
  const { database } = await getEnvironment(ctx, aid)
  const person = await database.snapshot(async (db) => {
    const { uid } = await resolveUser(db, name, options)
    return await describePerson(db, aid, uid)
  })
  print(options, person, () => describe(person))
}

function describe(person: Person): string {
  const { access, references, aliases, former_addresses, created, erased, links_ended, ...plain } =
    person
  const fields = {
    ...plain,
    created: formatTime(created),
    ...(erased === null ? {} : { erased: formatTime(erased) }),
    ...(links_ended === null ? {} : { links_ended: formatTime(links_ended) }),
    references: references.join(', '),
    ...(aliases.length === 0 ? {} : { aliases: aliases.join(', ') }),
    ...(former_addresses.length === 0 ? {} : { former_addresses: former_addresses.join(', ') }),
  }
  const rows = access.map((one) => [
    one.rid,
    one.id,
    formatTime(one.created),
    one.expires === null ? 'never' : formatTime(one.expires),
    formatOptionalTime(one.revoked),
  ])
  const head = ['rid', 'id', 'created', 'expires', 'revoked']
  return `${formatRecord(fields)}\n\n${formatTable(head, rows, 'No access.')}`
}

async function changeEmail(
  ctx: Context,
  name: string,
  address: string,
  options: UserOptions & { notify?: boolean; neverTheirs?: boolean },
): Promise<void> {
  const env = await getEnvironment(ctx, options.aid)
  const { neverTheirs } = options
  const notice = options.notify ? { delivery: env.delivery, realTime: env.realTime() } : undefined
  const { person } = await change(env, name, options, (trx, who) =>
    setEmail(trx, who, address, env.clock(), { notice, neverTheirs }),
  )
  const changed = `The email address of ${person.uid} is now ${person.email}.`
  print(options, person, () => (neverTheirs ? `${changed} ${LINKS_ENDED}` : changed))
}

const LINKS_ENDED =
  'All links so far have ended. An email that is resent in the dashboard has new ones.'

async function endAllLinks(ctx: Context, name: string, options: UserOptions): Promise<void> {
  const env = await getEnvironment(ctx, options.aid)
  const { person } = await change(env, name, options, (trx, who) => endLinks(trx, who, env.clock()))
  print(options, person, () => `${person.uid}: ${LINKS_ENDED}`)
}

async function addRef(
  ctx: Context,
  name: string,
  ref: string,
  options: UserOptions,
): Promise<void> {
  const env = await getEnvironment(ctx, options.aid)
  const { person, result } = await change(env, name, options, (trx, who) =>
    addReference(trx, who, ref, env.clock()),
  )
  print(options, { ...person, added: result }, () =>
    result
      ? `Added the reference ${ref} to ${person.uid}.`
      : `${ref} already is a reference of ${person.uid}.`,
  )
}

async function merge(
  ctx: Context,
  fromName: string,
  intoName: string,
  options: UserOptions,
): Promise<void> {
  const { aid } = options
  const { database, clock } = await getEnvironment(ctx, aid)
  const done = await database.write(async (trx) => {
    const from = await resolveUser(trx, fromName, options)
    const into = await resolveUser(trx, intoName, options)
    const input = { aid, from: from.uid, into: into.uid, actor: ACTOR }
    noteAudit({ uid: from.uid, into: into.uid })
    const result = await mergeUsers(trx, input, clock())
    return { from: from.uid, ...result, into: await describePerson(trx, aid, into.uid) }
  })
  print(options, done, () => {
    const { from, into, moved, joined, references } = done
    return (
      `Merged ${from} into ${into.uid}: ${references} references and ${moved} records moved, ` +
      `${joined} records joined.`
    )
  })
}

async function exportUser(
  ctx: Context,
  name: string,
  options: UserOptions & { out?: string },
): Promise<void> {
  const { aid, out } = options
  const { database } = await getEnvironment(ctx, aid)
  const data = await database.snapshot(async (db) => {
    const { uid } = await resolveUser(db, name, options)
    return await collectPerson(db, aid, uid)
  })
  const text = JSON.stringify(data, null, 2)
  if (out === undefined) {
    process.stdout.write(`${text}\n`)
    return
  }
  await writePrivateFile(out, [`${text}\n`])
  const { uid } = data.user
  print(options, { uid, file: out }, () => `Wrote everything stored about ${uid} to ${out}.`)
}

async function erase(
  ctx: Context,
  name: string,
  options: UserOptions & { yes?: boolean },
): Promise<void> {
  const env = await getEnvironment(ctx, options.aid)
  // Resolved before asking: the confirmed uid is erased, even if the name refers to someone else by then.
  const { uid } = await resolveUser(env.database.read, name, options)
  if (!options.yes) await requireYes(`Permanently erase the user ${uid} of ${options.aid}?`)
  const who = { aid: options.aid, uid, actor: ACTOR }
  const done = await erasePerson(ctx.control, env, who)
  const { revoked, references, mails } = done
  print(
    options,
    { uid, ...done },
    () =>
      `Erased ${uid}: ${revoked} records revoked, ${references} references deleted, ` +
      `${mails} emails emptied.`,
  )
}

async function requireYes(question: string): Promise<void> {
  if (!process.stdin.isTTY) throw new OperatorError("this can't be undone; pass --yes to confirm")
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const answer = await terminal.question(`${question} Type yes: `)
    if (answer.trim().toLowerCase() !== 'yes') throw new OperatorError('nothing was changed')
  } finally {
    terminal.close()
  }
}
