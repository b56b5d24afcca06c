import { configDefaults, defineConfig } from 'vitest/config'
import suite from './vitest.config.ts'

/** Services as processes of their own: started, drained, restarted and killed. They take long, and mostly wait. */
export default defineConfig({
  ...suite,
  test: {
    ...suite.test,
    include: ['packages/*/src/**/*.process.test.ts'],
    exclude: configDefaults.exclude,
    // More than these keep two processors so busy that starts and stops take longer than operators wait for them.
    maxWorkers: 2,
  },
})
