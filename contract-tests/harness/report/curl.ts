import type { Form } from '../../../fixtures/contract/index.ts'
import type { ExchangeReport } from './report.ts'

const base: Record<Form, string> = { cloud: '$CLOUD_URL', managed: '$CLOUD_URL', selfHosted: '$OSS_URL' }

/** Credentials by the names of variables: a report never holds the values. */
const credentials: Record<'basic' | 'bearer', Record<string, string>> = {
  basic: {
    key: '-u "$CLOUD_KEY_ID:$CLOUD_KEY_SECRET"',
    secondKey: '-u "$SECOND_KEY_ID:$SECOND_KEY_SECRET"',
    emptySecret: '-u "$CLOUD_KEY_ID:"',
    wrongSecret: '-u "$CLOUD_KEY_ID:wrong"',
    cutSecret: '-u "$CLOUD_KEY_ID:$(printf %s "$CLOUD_KEY_SECRET" | sed s/.$//)"',
    continuedSecret: '-u "$CLOUD_KEY_ID:$CLOUD_KEY_SECRET"x9',
    secretInOtherCase: '-u "$CLOUD_KEY_ID:$(printf %s "$CLOUD_KEY_SECRET" | tr a-zA-Z A-Za-z)"',
    keyIdAsSecret: '-u "$CLOUD_KEY_ID:$CLOUD_KEY_ID"',
    otherOrganizationsSecret: '-u "$CLOUD_KEY_ID:$SECOND_KEY_SECRET"',
    noScheme: '-H "Authorization: $(printf %s "$CLOUD_KEY_ID:$CLOUD_KEY_SECRET" | base64 -w0)"',
    nameInOtherCase: '-u "$(printf %s "$CLOUD_KEY_ID" | tr a-zA-Z A-Za-z):$CLOUD_KEY_SECRET"',
    wrongKeyId: '-u "wrong:$CLOUD_KEY_SECRET"',
    wrongScheme: '-H "Authorization: Bearer $(printf %s "$CLOUD_KEY_ID:$CLOUD_KEY_SECRET" | base64 -w0)"',
    malformed: "-H 'Authorization: Basic !!!'",
    otherForm: '-H "Authorization: Bearer $OSS_API_KEY"',
  },
  bearer: {
    key: '-H "Authorization: Bearer $OSS_API_KEY"',
    emptySecret: "-H 'Authorization: Bearer '",
    wrongSecret: "-H 'Authorization: Bearer wrong'",
    cutSecret: '-H "Authorization: Bearer $(printf %s "$OSS_API_KEY" | sed s/.$//)"',
    continuedSecret: '-H "Authorization: Bearer $OSS_API_KEY"x9',
    secretInOtherCase: '-H "Authorization: Bearer $(printf %s "$OSS_API_KEY" | tr a-zA-Z A-Za-z)"',
    nameInOtherCase: '-H "Authorization: Bearer $(printf %s "$OSS_API_KEY" | tr a-zA-Z A-Za-z)"',
    noScheme: '-H "Authorization: $OSS_API_KEY"',
    wrongScheme: '-u "$OSS_API_KEY:"',
    keyAsPassword: '-u "api:$OSS_API_KEY"',
    malformed: "-H 'Authorization: Bearer not a key'",
    otherForm: '-u "$CLOUD_KEY_ID:$CLOUD_KEY_SECRET"',
    ingestion: '-H "Authorization: Bearer $OSS_INGESTION_KEY"',
  },
}

const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

/** A line that repeats the request of an exchange, with secrets and addresses as variables. */
export function curlLine(form: Form, { as, request }: ExchangeReport): string {
  const credential = credentials[form === 'selfHosted' ? 'bearer' : 'basic'][as]
  const parts = [
    'curl -sS -i',
    request.method === 'GET' ? '' : request.method === 'HEAD' ? '-I' : `-X ${request.method}`,
    credential ?? '',
    request.headers['content-type'] ? `-H ${quote(`Content-Type: ${request.headers['content-type']}`)}` : '',
    request.body === null ? '' : `-d ${quote(request.body)}`,
    `"${base[form]}"${quote(request.path)}`,
  ]
  return parts.filter(Boolean).join(' ')
}
