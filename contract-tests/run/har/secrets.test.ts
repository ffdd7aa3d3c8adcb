import { describe, expect, it } from 'vitest'
import { createHarRedactor } from './secrets.ts'

const redact = createHarRedactor({})
const encodeLogin = (padding = '') => `${Buffer.from('user:secret').toString('base64').replace(/=+$/, '')}${padding}`

describe('the redactor of a recording', () => {
  it.each([
    ['--password hunter2 --host db', '--password [redacted] --host db'],
    ['--password=hunter2', '--password=[redacted]'],
    ['--db-password="two words" -v', '--db-password="[redacted]" -v'],
    ['["client","--password","hunter2","-v"]', '["client","--password","[redacted]","-v"]'],
    ['"--password=hunter2"', '"--password=[redacted]"'],
    ['-u user:hunter2 https://a.example', '-u user:[redacted] https://a.example'],
    ['mysql -h db -phunter2 shop', 'mysql -h db -p[redacted] shop'],
    ["mysqldump -u root '-p' -p'two words'", "mysqldump -u root '-p' -p'[redacted]'"],
    ['sshpass -p hunter2 ssh -p 22 host', 'sshpass -p [redacted] ssh -p 22 host'],
    ['mkdir -p /tmp/a; psql -p 5432', 'mkdir -p /tmp/a; psql -p 5432'],
  ])('removes only the secrets from a command line: %s', (text, clean) => expect(redact(text)).toBe(clean))

  it.each([
    ['PASSWORD=a&b', 'PASSWORD=[redacted]'],
    ['export DB_PASSWORD=a&b&c; next', 'export DB_PASSWORD=[redacted] next'],
    ['PASSWORD="a b" next', 'PASSWORD="[redacted]" next'],
    ['user=a&password=b&c=d', 'user=a&password=[redacted]&c=d'],
    ['https://a.example/?token=b&page[size]=2&amp;x=3', 'https://a.example/?token=[redacted]&page[size]=2&amp;x=3'],
    ['<a href="?token=b&amp;page=2">', '<a href="?token=[redacted]&amp;page=2">'],
    ['next=%3Ftoken%3Dhunter2%26page%3D2', 'next=%3Ftoken%3D[redacted]%26page%3D2'],
    ['{"a":"?token=","b":"c"}', '{"a":"?token=","b":"c"}'],
  ])('removes only the secrets from a setting, a form or a query: %s', (text, clean) =>
    expect(redact(text)).toBe(clean),
  )

  it.each([
    [String.raw`{"p\u0061ssword":"hunter2","a":1}`, String.raw`{"p\u0061ssword":"[redacted]","a":1}`],
    [String.raw`{"pass\u0077ord":"hunt\"er2"}`, String.raw`{"pass\u0077ord":"[redacted]"}`],
    [String.raw`{"password":"hunt\"er2"}`, '{"password":"[redacted]"}'],
    [JSON.stringify({ a: '{"p\\u0061ssword":"hunt\\"er2"}' }), String.raw`{"a":"{\"p\\u0061ssword\":\"[redacted]\"}"}`],
    [JSON.stringify({ command: 'PASSWORD="a b" run' }), String.raw`{"command":"PASSWORD=\"[redacted]\" run"}`],
    [String.raw`{"dsn":"clickhouse:\/\/me:hunter2@db:9000"}`, String.raw`{"dsn":"clickhouse:\/\/[redacted]@db:9000"}`],
  ])('removes only the secrets from JSON, however it is escaped: %s', (text, clean) => expect(redact(text)).toBe(clean))

  it.each([
    encodeLogin(),
    encodeLogin('='),
    Buffer.from('user:päss:wörd').toString('base64url'),
    btoa('say token=hunter2 twice'),
  ])('removes credentials in base64: %s', code =>
    expect(redact(`header ${code}, rest`)).toBe('header [redacted], rest'),
  )

  it('removes the user information of a URL, even if it has an invalid percent-encoding', () => {
    const url = 'https://a%zz:hunter2@a.example/v1'
    const har = { log: { entries: [{ request: { url, headers: [] } }] } }
    expect(createHarRedactor(har)(`${url} hunter2`)).not.toContain('hunter2')
  })

  it('keeps other texts in base64, ids and names', () => {
    const words = [
      ...[btoa('an innocent text, encoded'), btoa('https://a.example/path'), btoa('12:30:00 - 14:30:00')],
      ...['6553f1d2a0b1c2d3e4f50617', '1239a49a-fb6b-468e-918c-0207b6032d7d', 'backupConfiguration', 'eventAttributes'],
      'CORRECT/horse/battery/staple',
    ]
    expect(redact(words.join(' '))).toBe(words.join(' '))
  })

  it('stays fast on a text that is made to slow it down', () => {
    for (const part of ['mysql ', ':// ', 'password=', '--password ', '-u ', 'a&', '"', '\\', '%25', 'aaaa:'])
      expect(redact(part.repeat(200_000 / part.length)).length).toBeGreaterThan(0)
  })
})
