import { afterEach } from 'vitest'
import { requireNoViolations } from './violations.ts'

afterEach(requireNoViolations)
