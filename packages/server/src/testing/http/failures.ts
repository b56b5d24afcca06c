import { expect } from 'vitest'
import type { TestResponse } from './requests.ts'

export function expectFailure(
  response: TestResponse,
  status: number,
  code: string,
  parameter?: string,
): void {
  expect([response.status, response.text]).toEqual([status, expect.any(String)])
  expect(response.headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
  })
  const body = JSON.parse(response.text)
  expect(body).toEqual({
    error: {
      message: expect.stringMatching(
        parameter === undefined ? /\S.*\.$/ : new RegExp(`^${parameter}: \\S`),
      ),
      code,
      ...(parameter === undefined ? {} : { parameter }),
      request_id: expect.stringMatching(/^[A-Za-z0-9]{16}$/),
    },
  })
}

export function expectRetryAfter(response: TestResponse, most: number): void {
  const seconds = response.headers['retry-after'] ?? ''
  expect(seconds).toMatch(/^\d+$/)
  expect(Number(seconds)).toBeGreaterThanOrEqual(1)
  expect(Number(seconds)).toBeLessThanOrEqual(most)
}

/** Repeats the request until the response is `good`; returns the last response if it never is. */
export async function until(
  ask: () => Promise<TestResponse>,
  good: (response: TestResponse) => boolean,
  ms = 8_000,
) {
  const deadline = performance.now() + ms
  let response = await ask()
  while (!good(response) && performance.now() < deadline) response = await ask()
  return response
}
