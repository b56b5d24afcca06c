import type { ChildProcess } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { unprivilegedAccount } from '../../../packages/server/src/testing/postgres/postgres.ts'
import {
  queryOnce,
  runStatement,
} from '../../../packages/server/src/testing/postgres/run-statement.ts'
import { freePort, stop, until } from '../../../scripts/loopback.mjs'
import { requireTools } from '../../../scripts/tools.mjs'
import { findPostmaster, killServer, startProgram } from './processes.ts'
import {
  dataOf,
  etcdArguments,
  haproxySettings,
  type Node,
  PASSWORDS,
  patroniSettings,
} from './settings.ts'

const DEBIAN_PROGRAMS = '/usr/lib/postgresql'
/** How long a killed server may take to follow the new primary: its data may have to be rewound, or copied again. */
const MAX_WHOLE_SECONDS = 180

/** The kind of kill: PostgreSQL alone, or its Patroni too, as when the machine is lost. */
export type KillKind = 'server' | 'machine'

/** A member of the pair, as Patroni lists it. */
interface Member {
  name: string
  role: 'leader' | 'replica' | 'sync_standby'
  state: string
  timeline?: number
}

/** Two PostgreSQL servers under Patroni, with one etcd, behind HAProxy. */
export class PatroniPair {
  readonly #isSynchronous: boolean
  readonly #folder = mkdtempSync(join(tmpdir(), 'gatehouse-failover-'))
  readonly #account = unprivilegedAccount()
  readonly #programs: string
  readonly #nodes: Node[] = []
  readonly #patronis = new Map<Node, ChildProcess>()
  readonly #others: ChildProcess[] = []
  #proxyPort = 0

  private constructor(isSynchronous: boolean) {
    this.#isSynchronous = isSynchronous
    this.#programs = requirePrograms()
  }

  /** Resolves when the standby follows, with an empty database for Gatehouse. */
  static async start({ isSynchronous }: { isSynchronous: boolean }): Promise<PatroniPair> {
    const pair = new PatroniPair(isSynchronous)
    try {
      await pair.#start()
      return pair
    } catch (error) {
      const logs = pair.readLogs()
      await pair.stop()
      throw new Error(`the pair did not start:\n${logs}`, { cause: error })
    }
  }

  /** Leads to the primary, through HAProxy. */
  get url(): string {
    return `postgres://gatehouse:${PASSWORDS.gatehouse}@127.0.0.1:${this.#proxyPort}/gatehouse`
  }

  /** The end of each program's log. */
  readLogs(): string {
    const logs = readdirSync(this.#folder).filter((name) => name.endsWith('.log'))
    return logs
      .map((name) => `${name}:\n${readFileSync(join(this.#folder, name), 'utf8').slice(-4_000)}`)
      .join('\n')
  }

  /** Resolves when both servers run on the same timeline, and the standby is named as synchronous if it should be. */
  async untilWhole(): Promise<void> {
    const wanted = this.#isSynchronous ? 'sync_standby' : 'replica'
    const isWhole = async () => {
      const members = await this.#members()
      const [leader, standby] = ['leader', wanted].map((role) =>
        members.find((one) => one.role === role),
      )
      return (
        leader?.state === 'running' &&
        ['running', 'streaming'].includes(standby?.state as string) &&
        standby?.timeline === leader.timeline
      )
    }
    await until('the standby', isWhole, MAX_WHOLE_SECONDS)
  }

  /** Kills the primary; resolves to its node when none of its processes is left. */
  async killPrimary(kind: KillKind): Promise<Node> {
    const node = await this.#findPrimary()
    const patroni = this.#patronis.get(node) as ChildProcess
    if (kind === 'machine') await stop(patroni, 'SIGKILL')
    await killServer(findPostmaster(dataOf(node)) as number)
    return node
  }

  /** Resolves when another node than this one is the primary and takes connections through HAProxy. */
  async untilTakenOver(from: Node): Promise<void> {
    const [other] = this.#nodes.filter((one) => one !== from)
    await until(
      'the other server',
      async () => {
        const { rows } = await queryOnce(
          this.url,
          'select inet_server_port() as port, pg_is_in_recovery() as r',
        )
        return rows[0].port === other?.port && rows[0].r === false
      },
      MAX_WHOLE_SECONDS,
    )
  }

  /** Starts Patroni where it was killed. */
  revive(node: Node): void {
    if (this.#patronis.get(node)?.signalCode) this.#startPatroni(node)
  }

  /** Lets no more changes reach the standby, which has everything up to then. */
  async cutReplication(): Promise<void> {
    const url = this.#superuserUrl((await this.#findPrimary()).port)
    await runStatement(url, 'checkpoint')
    await until('a standby that has everything', async () => {
      const { rows } = await queryOnce(
        url,
        'select 1 from pg_stat_replication where flush_lsn >= pg_current_wal_lsn()',
      )
      return rows.length === 1
    })
    await runStatement(url, 'alter role replicator nologin')
    await until('the end of replication', async () => {
      await runStatement(url, 'select pg_terminate_backend(pid) from pg_stat_replication')
      return (await queryOnce(url, 'select 1 from pg_stat_replication')).rows.length === 0
    })
  }

  /** Lets the standby follow again; the role was changed before it was cut off. */
  async restoreReplication(): Promise<void> {
    const url = this.#superuserUrl((await this.#findPrimary()).port)
    await runStatement(url, 'alter role replicator login')
  }

  /** Leaves no process and no file behind, however the test went. */
  async stop(): Promise<void> {
    for (const child of [...this.#patronis.values(), ...this.#others]) await stop(child, 'SIGKILL')
    for (const node of this.#nodes) {
      const postmaster = findPostmaster(dataOf(node))
      if (postmaster !== undefined) await killServer(postmaster)
    }
    rmSync(this.#folder, { recursive: true, force: true })
  }

  async #start(): Promise<void> {
    this.#own(this.#folder)
    chmodSync(this.#folder, 0o755)
    const [etcd, peer, proxy] = [await freePort(), await freePort(), await freePort()]
    this.#proxyPort = proxy
    const folder = this.#folder
    this.#others.push(this.#run('etcd', etcdArguments(folder, etcd, peer)))
    await until('etcd', async () => (await fetch(`http://127.0.0.1:${etcd}/health`)).ok)
    for (const name of ['one', 'two']) await this.#addNode(name, etcd)
    writeFileSync(join(folder, 'haproxy.cfg'), haproxySettings(proxy, this.#nodes))
    this.#others.push(this.#run('haproxy', ['-db', '-f', join(folder, 'haproxy.cfg')]))
    await this.untilWhole()
    await this.#createDatabase()
  }

  async #addNode(name: string, etcd: number): Promise<void> {
    const folder = join(this.#folder, name)
    mkdirSync(folder, { mode: 0o700 })
    this.#own(folder)
    const node: Node = { name, port: await freePort(), api: await freePort(), folder }
    const settings = { node, etcd, programs: this.#programs, isSynchronous: this.#isSynchronous }
    writeFileSync(`${folder}/patroni.yml`, patroniSettings(settings))
    this.#own(`${folder}/patroni.yml`)
    this.#nodes.push(node)
    this.#startPatroni(node)
    // The first one creates the data; the second one copies it.
    if (this.#nodes.length === 1)
      await until(
        'the first server',
        async () => (await this.#members())[0]?.role === 'leader',
        120,
      )
  }

  #startPatroni(node: Node): void {
    this.#patronis.set(node, this.#run('patroni', [`${node.folder}/patroni.yml`], node.name))
  }

  #run(command: string, args: readonly string[], log = command): ChildProcess {
    return startProgram(command, args, join(this.#folder, `${log}.log`), this.#account)
  }

  #own(path: string): void {
    if (this.#account) chownSync(path, this.#account.uid, this.#account.gid)
  }

  async #createDatabase(): Promise<void> {
    const url = this.#superuserUrl((await this.#findPrimary()).port)
    await runStatement(url, `create role gatehouse login password '${PASSWORDS.gatehouse}'`)
    await runStatement(url, 'create database gatehouse owner gatehouse')
    await until('HAProxy', async () => (await queryOnce(this.url, 'select 1')).rows.length === 1)
  }

  #superuserUrl(port: number): string {
    return `postgres://postgres:${PASSWORDS.postgres}@127.0.0.1:${port}/postgres`
  }

  /** Asks the nodes in turn: one of them may be down. */
  async #members(): Promise<Member[]> {
    for (const { api } of this.#nodes) {
      try {
        const answer = await fetch(`http://127.0.0.1:${api}/cluster`)
        return ((await answer.json()) as { members: Member[] }).members
      } catch {}
    }
    return []
  }

  async #findPrimary(): Promise<Node> {
    const leader = (await this.#members()).find(({ role }) => role === 'leader')
    const node = this.#nodes.find(({ name }) => name === leader?.name)
    if (!node) throw new Error('there is no primary')
    return node
  }
}

/** Returns the folder of PostgreSQL's programs: Debian doesn't put them on the path. */
function requirePrograms(): string {
  requireTools({
    patroni: 'patroni',
    etcd: 'etcd-server',
    haproxy: 'haproxy',
    pg_lsclusters: 'postgresql',
  })
  const versions = existsSync(DEBIAN_PROGRAMS) ? readdirSync(DEBIAN_PROGRAMS) : []
  const newest = versions.filter((one) => one >= '14').sort((a, b) => Number(b) - Number(a))[0]
  if (newest === undefined)
    throw new Error('PostgreSQL 14 or newer is missing: install the package postgresql')
  return join(DEBIAN_PROGRAMS, newest, 'bin')
}
