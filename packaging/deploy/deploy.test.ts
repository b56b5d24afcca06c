import { execFile, execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { blocksOf } from '../../doctest/blocks.ts'
import { freePort } from '../../scripts/loopback.mjs'
import { requireTools } from '../../scripts/tools.mjs'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const MACHINE = fileURLToPath(new URL('machine.sh', import.meta.url))

const run = promisify(execFile)

/** The commands that the guide gives, in its order, with values in place of the words in capitals. */
const documented = (values: Record<string, string>) =>
  blocksOf('docs/run/README.md')
    .filter(({ notes }) => notes['not run']?.includes('npm run test:deploy'))
    .map(({ code }) =>
      Object.entries(values).reduce((text, [word, value]) => text.replaceAll(word, value), code),
    )

/** Repacks a release under another version. */
function repack(folder: string, from: string, version: string): string {
  const unpacked = join(folder, 'unpacked')
  mkdirSync(unpacked)
  execFileSync('tar', ['-xzf', from, '-C', unpacked])
  const path = join(unpacked, 'package/package.json')
  const manifest = JSON.parse(readFileSync(path, 'utf8'))
  writeFileSync(path, JSON.stringify({ ...manifest, version }))
  const to = join(folder, `gatehouse-server-${version}.tgz`)
  execFileSync('tar', ['-czf', to, '-C', unpacked, 'package'])
  return to
}

describe('a new operator, by the guide alone', () => {
  let folder: string
  let version: string
  let ports: { service: number; proxy: number; caddy: number }
  beforeAll(async () => {
    requireTools({ nginx: 'nginx-light', caddy: 'caddy', 'systemd-analyze': 'systemd' })
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-deploy-'))
    await run('npm', ['pack', '-w', '@gatehouse/server', '--pack-destination', folder], {
      cwd: ROOT,
    })
    version = JSON.parse(readFileSync(join(ROOT, 'packages/server/package.json'), 'utf8')).version
    repack(folder, join(folder, `gatehouse-server-${version}.tgz`), '9.9.9')
    ports = { service: await freePort(), proxy: await freePort(), caddy: await freePort() }
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  /** Runs commands as root of a machine of their own; returns what they print. */
  async function onMachine(name: string, commands: string): Promise<string> {
    const script = join(folder, `${name}.sh`)
    writeFileSync(script, `cd ${folder}\n${commands}`)
    const args = ['--mount', '--propagation', 'private', 'bash', MACHINE, script]
    const { stdout } = await run('unshare', args, { maxBuffer: 64 * 1024 * 1024 })
    return stdout
  }

  const settings = () => `cat > /etc/gatehouse/.env <<'END'
GATEHOUSE_DATA=/var/lib/gatehouse
GATEHOUSE_WORKERS=2
GATEHOUSE_PORT=${ports.service}
GATEHOUSE_BASE_URL=https://access.example.com
GATEHOUSE_TRUSTED_PROXIES=127.0.0.1
END
`

  it('installs, starts, puts proxies in front, upgrades without a failed request, and backs up', async () => {
    const [install = '', protect = '', start = '', check = '', upgrade = ''] = documented({
      VERSION: version,
      NEW: '9.9.9',
    })
    const { service, proxy, caddy } = ports
    const output = await onMachine(
      'first',
      `${install}
${settings()}
${protect}
systemd-analyze verify /etc/systemd/system/gatehouse*.service /etc/systemd/system/gatehouse-backup.timer
echo verified
${start}
waitFor curl -sf http://127.0.0.1:${service}/readyz
${check}
cd ${folder}
test "$(stat -c %U:%a /var/lib/gatehouse/master.key)" = gatehouse:600
gatehouse --version | sed 's/^/version before /'

# nginx, with a certificate, and with a port of its own.
openssl req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=access.example.com -keyout /etc/ssl/access.example.com.key -out /etc/ssl/access.example.com.pem 2>/dev/null
mkdir -p /mnt/nginx
deploy=/opt/gatehouse/current/node_modules/@gatehouse/server/deploy
sed -e 's/127.0.0.1:8080/127.0.0.1:${service}/' -e 's/443 ssl/127.0.0.1:${proxy} ssl/' -e 's#/var/log/nginx#/mnt/nginx#' $deploy/nginx.conf > /etc/nginx/conf.d/gatehouse.conf
printf 'pid /mnt/nginx/pid;\\nerror_log /mnt/nginx/error.log;\\nuser root;\\nevents {}\\nhttp { include /etc/nginx/conf.d/gatehouse.conf; }\\n' > /mnt/nginx/nginx.conf
nginx -t -c /mnt/nginx/nginx.conf 2>&1 | tail -1
nginx -c /mnt/nginx/nginx.conf
cp /mnt/nginx/pid /mnt/run/nginx.pid

# Caddy, as it is installed, and once more without TLS.
caddy validate --adapter caddyfile --config $deploy/Caddyfile 2>&1 | tail -1
{ printf '{\\nadmin off\\nauto_https off\\n}\\n'; sed -e 's/^http:.*{/http:\\/\\/plain.test:${caddy} {\\nbind 127.0.0.1/' -e 's/^access.example.com.*{/http:\\/\\/:${caddy} {\\nbind 127.0.0.1/' -e 's/127.0.0.1:8080 {/127.0.0.1:${service} {\\nheader_up X-Forwarded-Proto https/' $deploy/Caddyfile; } > /mnt/Caddyfile
caddy run --adapter caddyfile --config /mnt/Caddyfile >/mnt/caddy.log 2>&1 & echo $! > /mnt/run/caddy.pid
waitFor curl -sf http://127.0.0.1:${caddy}/readyz
curl -s -o /dev/null -w 'metrics through Caddy %{http_code}\\n' http://127.0.0.1:${caddy}/metrics
for path in /r2/access /management/v1/sandbox /files/x; do
  curl -s -o /dev/null -w "plain HTTP through Caddy, $path: %{http_code} %{redirect_url}\\n" -H 'Host: plain.test' http://127.0.0.1:${caddy}$path
done

# Answers of the proxies themselves have the headers of all answers.
for url in http://127.0.0.1:${caddy}/metrics https://127.0.0.1:${proxy}/metrics; do
  curl -sk -o /dev/null -D - "$url" | tr -d '\\r' | grep -ciE '^(x-content-type-options: nosniff|content-security-policy: |strict-transport-security: max-age)' | sed 's/^/headers of a proxy: /'
done

# Signed requests with characters that a proxy might change.
aid=$(gatehouse app list --env sandbox --json | node -p 'JSON.parse(fs.readFileSync(0))[0].aid')
for target in '/r2/access?rid=demo-article&user_ref=demo-reader' '/r2/access?rid=a%2Fb&user_ref=x%27~(@)' '/r2/user/a%2Fb'; do
  authorization=$(gatehouse sign --aid "$aid" GET "$target" | grep -o "Authorization: [^']*")
  for url in http://127.0.0.1:${service} http://127.0.0.1:${caddy} https://127.0.0.1:${proxy}; do
    curl -sk --path-as-is -o /dev/null -w '%{http_code} ' -H 'Host: access.example.com' -H "$authorization" "$url/sandbox$target"
  done
  echo "for $target"
done

# Upgrade under requests.
( while [ ! -e /mnt/upgraded ]; do curl -sk -o /dev/null -w '%{http_code}\\n' https://127.0.0.1:${proxy}/healthz; sleep 0.02; done ) > /mnt/during & requests=$!
${upgrade}
waitFor grep -q 'restarted all workers' /mnt/run/gatehouse.log
touch /mnt/upgraded; wait $requests
sort /mnt/during | uniq -c | sed 's/^ *[0-9]* /during the upgrade /'
cd ${folder}
gatehouse --version | sed 's/^/version after /'
ls /var/lib/gatehouse-backups | wc -l | sed 's/^/backups /'
cp /var/lib/gatehouse-backups/*.backup ${folder}/taken.backup
cp /var/lib/gatehouse/master.key ${folder}/master.key
echo "aid $aid"
systemctl stop gatehouse
echo stopped
`,
    )
    const lines = output.split('\n')
    expect(lines).toEqual(
      expect.arrayContaining([
        'verified',
        expect.stringContaining(`version before ${version}`),
        'nginx: configuration file /mnt/nginx/nginx.conf test is successful',
        'Valid configuration',
        'metrics through Caddy 404',
        'plain HTTP through Caddy, /r2/access: 403 ',
        'plain HTTP through Caddy, /management/v1/sandbox: 403 ',
        'plain HTTP through Caddy, /files/x: 308 https://plain.test/files/x',
        '200 200 200 for /r2/access?rid=demo-article&user_ref=demo-reader',
        '404 404 404 for /r2/access?rid=a%2Fb&user_ref=x%27~(@)',
        '404 404 404 for /r2/user/a%2Fb',
        'version after 9.9.9',
        'backups 1',
        'stopped',
      ]),
    )
    expect(lines.filter((line) => line === 'headers of a proxy: 3')).toHaveLength(2)
    expect(lines.filter((line) => line.startsWith('during'))).toEqual(['during the upgrade 200'])
  })

  it('restores the backup on another machine, and resumes there', async () => {
    const [install = '', protect = '', start = ''] = documented({ VERSION: '9.9.9' })
    const output = await onMachine(
      'second',
      `${install}
${settings()}
${protect}
cd ${folder}
install -m 600 -o gatehouse -g gatehouse master.key /var/lib/gatehouse/
install -m 600 -o gatehouse -g gatehouse taken.backup /var/lib/gatehouse/
gatehouse restore /var/lib/gatehouse/taken.backup
gatehouse doctor --deep | grep hold
${start}
waitFor curl -sf http://127.0.0.1:${ports.service}/readyz
gatehouse resume --yes
gatehouse doctor --deep | grep hold
cd ${folder}
gatehouse app list --env sandbox --json | node -p 'JSON.parse(fs.readFileSync(0)).length + " application"'
systemctl stop gatehouse
`,
    )
    expect(output).toContain('This installation is on hold.')
    expect(output).toContain('ok       hold                 not on hold')
    expect(output).toContain('1 application')
  })
})
