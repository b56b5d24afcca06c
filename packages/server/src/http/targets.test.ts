import type { IncomingMessage } from 'node:http'
import { describe, expect, it } from 'vitest'
import { addressesOf, prefixesOf } from '../config/addresses.ts'
import { readConfig } from '../config/config.ts'
import { isCanonical } from '../signing/canonical.ts'
import { rewriteUrlByHost } from './targets.ts'

describe('a target is canonical', () => {
  it.each([
    '/',
    '/r2/access',
    '/r2/access?',
    '/r2/access?rid=%2F%2f//..&user_ref=../x',
    '/r2/download/',
    '/r2/user/abc',
    '/r2/user/a%20b',
    '/sandbox/r2/user/%C3%A9',
    '/checkout/0123456789/a%2Fb',
    '/sandbox/checkout/0123456789/%C3%A9?name=x',
    '/dashboard/api/sandbox/0123456789/resources/a%2Fb/archive',
    '/access/dashboard/sandbox/0123456789/people/%C3%A9',
    '/management/v1/production/applications/0123456789/resources/a%2F..%2Fb/archive',
    '/access/management/v1/sandbox/applications/0123456789/resources/%20..',
    '/dashboard/api/production/0123456789/resources/...',
    '/dashboard/api/production/0123456789/resources/%2e%2e%2e',
    "/-._~!$&'()*+,;=:@",
    '/...',
    '/.a/b.',
  ])('%s', (target) => expect(isCanonical(target)).toBe(true))
})

describe('a target is not canonical', () => {
  it.each([
    '',
    '*',
    'r2/access',
    '?rid=x',
    'http://host/r2/access',
    'host:80',
    '//r2/access',
    '/r2//access',
    '/r2/access//',
    '/r2/./access',
    '/r2/../r2/access',
    '/r2/access/.',
    '/r2/access/..',
    '/..',
    '/r2\\access',
    '/r2/access?a=\\',
    '/r2/access#x',
    '/r2/access?rid=x#y',
    '/r2/%61ccess',
    '/%72%32/access',
    '/r2%2Faccess',
    '/r2/%2e%2e/access',
    '/r2/user/a/%62',
    '/r2/%75ser/abc',
    '/checkout/012345678%39/abc',
    '/checkout/done/%41',
    '/checkout/0123456789/a/%62',
    '/checkout/0123456789/%00',
    '/manage/%41',
    '/%64ashboard/',
    '/r2/%61ccess/dashboard/',
    '/dashboard/%00',
    '/dashboard/../r2/access',
    '/dashboard/%2e%2e/r2/access',
    '/dashboard/.%2E/access',
    '/dashboard/api/%2E',
    '/%6danagement/v1/production',
    '/management/%761/production',
    '/management/v1/%2e%2e/access',
    '/management/v1/production/applications/0123456789/resources/%2E./prices',
    '/management/v1/production/%00',
    '/r2/management/v1/%61',
    '/checkout/0123456789/%2e',
    '/r2/user/%2E%2e',
    '/r2/dashboard/%2e%2e/access',
    '/r2/user/%00',
    '/r2/user/a%0Ab',
    '/r2/user/%7F',
    '/r2/access%00',
    '/r2/acc ess',
    '/r2/acc"ess',
    '/r2/[access]',
    '/r2/{uid}',
    '/r2/a|b',
    '/r2/a^b`',
    '/r2/<x>',
    '/r2/\u00e9',
  ])('%j', (target) => expect(isCanonical(target)).toBe(false))
})

describe('host names of their own', () => {
  const config = readConfig({
    GATEHOUSE_BASE_URL: 'https://example.com/pay',
    GATEHOUSE_PRODUCTION_HOST: 'access.example.com',
    GATEHOUSE_SANDBOX_HOST: 'try.example.com',
  })
  const lead = (host: string, url: string) =>
    rewriteUrlByHost(config, prefixesOf(config), { url, headers: { host } } as IncomingMessage)

  it.each([
    ['access.example.com', '/pay/r2/access', '/pay/r2/access'],
    ['ACCESS.example.com:8080', '/pay/r2/access', '/pay/r2/access'],
    ['try.example.com', '/pay/r2/access?x=1', '/pay/sandbox/r2/access?x=1'],
    ['Try.Example.com:80', '/pay/r2/access', '/pay/sandbox/r2/access'],
    ['other.example.com', '/pay/r2/access', '/pay/r2/access'],
    ['other.example.com', '/pay/sandbox/r2/access', '/pay/sandbox/r2/access'],
  ])('%s %s leads to %s', (host, url, led) => expect(lead(host, url)).toBe(led))

  it.each([
    ['access.example.com', '/pay/sandbox/r2/access'],
    ['try.example.com', '/pay/sandbox/r2/access'],
    ['try.example.com', '/r2/access'],
    ['try.example.com', 'http://access.example.com/pay/r2/access'],
  ])('%s %s leads nowhere', (host, url) => expect(isCanonical(lead(host, url))).toBe(false))

  it('are the addresses that are told', () => {
    expect(addressesOf(config, 'http://localhost:1')).toEqual({
      production: 'https://access.example.com/pay',
      sandbox: 'https://try.example.com/pay',
    })
  })
})

it('without them, the sandbox is under the base address, or where we listen', () => {
  const at = (env: Record<string, string>) => addressesOf(readConfig(env), 'http://localhost:8080')
  expect(at({}).sandbox).toBe('http://localhost:8080/sandbox')
  expect(at({ GATEHOUSE_BASE_URL: 'https://x.example/' })).toEqual({
    production: 'https://x.example',
    sandbox: 'https://x.example/sandbox',
  })
})
