/** Tables of an environment that belong to the installation, not to an application. `provider_refs` leads from what the
 * payment provider knows to the application, and a finding of a reconciliation may be about a charge that names none. */
export const INSTALLATION_TABLES: readonly string[] = [
  ...[
    'meta',
    'migrations',
    'secrets',
    'link_keys',
    'test_ledger',
    'provider_refs',
    'provider_calls',
    'reconciliation_findings',
  ],
]
