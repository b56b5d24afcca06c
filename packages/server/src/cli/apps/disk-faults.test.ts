import { expect, it } from 'vitest'
import { inProcessCli } from '../../testing/cli.ts'
import { databases } from '../../testing/databases.ts'
import { FaultPlan } from '../../testing/faults/fault-plan.ts'
import { injectFileFaults } from '../../testing/faults/file-faults.ts'

it('says in one line which call of the disk has failed, and works when it is repeated', async () => {
  const installation = await databases[0].createMigrated()
  const cli = inProcessCli(installation.env)
  await cli.json('app', 'create', '--env', 'production', '--name', 'Test')
  const plan = new FaultPlan('sqlite')
  const stopFaults = await injectFileFaults(plan)
  let faults = 0
  try {
    for (; ; faults++) {
      plan.arm(faults + 1, 0)
      const { code, stderr } = await plan.watch(() => cli.run('key', 'rotate-master'))
      plan.disarm()
      if (!plan.fired) {
        expect(code).toBe(0)
        break
      }
      if (code !== 0) expect(stderr).toMatch(/^gatehouse: [^\n]+\n$/)
      expect((await cli.run('key', 'rotate-master')).code).toBe(0)
    }
    expect((await cli.run('doctor', '--deep')).code).toBe(0)
  } finally {
    stopFaults()
    await installation.remove()
  }
  expect(faults).toBeGreaterThan(10)
})
