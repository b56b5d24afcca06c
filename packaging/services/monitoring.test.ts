import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { databases } from '../../packages/server/src/testing/databases.ts'
import { startTestService, type TestService } from '../../packages/server/src/testing/service.ts'
import { freePort, stop, until } from '../../scripts/loopback.mjs'
import { requireTools } from '../../scripts/tools.mjs'

const DEPLOY = fileURLToPath(new URL('../../deploy/', import.meta.url))
const ALERTS = join(DEPLOY, 'gatehouse-alerts.yml')

/** PostgreSQL, which has more figures than SQLite. */
const postgres = databases.find(({ engine }) => engine === 'postgres') as (typeof databases)[0]

/** Replaces Grafana's variables with values, as Grafana does. */
const filled = (expression: string) =>
  expression.replaceAll('$instance', '.*').replaceAll('$__rate_interval', '1m')

const dashboard = JSON.parse(readFileSync(join(DEPLOY, 'grafana-dashboard.json'), 'utf8')) as {
  panels: { title: string; targets: { expr: string }[] }[]
}
const panels = dashboard.panels.flatMap(({ title, targets }) =>
  targets.map(({ expr }) => [title, filled(expr)] as const),
)
const alerts = [...readFileSync(ALERTS, 'utf8').matchAll(/alert: (\w+)\n +expr: (.+)/g)].map(
  ([, name = '', expression = '']) => [name, expression] as const,
)

describe('Prometheus', () => {
  let folder: string
  let service: TestService
  let prometheus: ChildProcess
  let url: string
  beforeAll(async () => {
    requireTools({ prometheus: 'prometheus', promtool: 'prometheus' })
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-prometheus-'))
    service = await startTestService(postgres)
    const check = '/r2/access?rid=news&user_ref=ann'
    for (let n = 0; n < 3; n++) await fetch(`${service.url}${check}`)
    copyFileSync(ALERTS, join(folder, 'gatehouse-alerts.yml'))
    const settings = readFileSync(join(DEPLOY, 'prometheus.yml'), 'utf8')
      .replace('15s', '1s')
      .replace('127.0.0.1:8080', new URL(service.url).host)
      .replace(/ +authorization:\n.*\n/, '')
    writeFileSync(join(folder, 'prometheus.yml'), settings)
    const port = await freePort()
    url = `http://127.0.0.1:${port}`
    const args = [`--config.file=${folder}/prometheus.yml`, `--storage.tsdb.path=${folder}/data`]
    prometheus = spawn('prometheus', [...args, `--web.listen-address=127.0.0.1:${port}`], {
      stdio: 'ignore',
    })
    const hasTwoSamples = async () =>
      Number((await ask('count_over_time(gatehouse_on_hold[1m])'))[0]?.value[1]) >= 3
    await until('the figures', hasTwoSamples, 60)
  })
  afterAll(async () => {
    await stop(prometheus)
    await service.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  async function ask(expression: string): Promise<{ value: [number, string] }[]> {
    const response = await fetch(
      `${url}/api/v1/query?${new URLSearchParams({ query: expression })}`,
    )
    const answer = (await response.json()) as { error?: string; data: { result: [] } }
    expect(answer.error).toBeUndefined()
    return answer.data.result
  }

  it('accepts the settings and the alerts', () => {
    execFileSync('promtool', ['check', 'rules', ALERTS])
    execFileSync('promtool', ['check', 'config', '--syntax-only', join(DEPLOY, 'prometheus.yml')])
    expect(alerts.length).toBeGreaterThan(10)
  })

  it.each(panels)('has figures for the panel %s', async (_, expression) => {
    expect(await ask(expression)).not.toEqual([])
  })

  it.each(alerts)('knows what %s asks for, and all is well', async (_, expression) => {
    const metrics = await (await fetch(`${service.url}/metrics`)).text()
    for (const [name] of expression.matchAll(/\b(gatehouse|nodejs|process)_\w+/g)) {
      expect(metrics).toMatch(new RegExp(`^# TYPE ${name.replace(/_bucket$/, '')} `, 'm'))
    }
    expect(await ask(expression)).toEqual([])
  })
})
