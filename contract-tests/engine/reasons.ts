/**
 * Why a request was not sent, or a rule not judged.
 *
 * - `api`: the API gave no occasion; but if an answer that the request needed was lost, the environment prevented it.
 * - `run`: the target file, the options or the suite leave it out.
 * - `recording`: recorded traffic does not show it.
 * - `environment`: it was prevented. The rule is errored, while all other kinds make it not applicable.
 */
export const reasons = {
  'GET was not refused': 'api',
  'PUT succeeded': 'api',
  'a key that was deleted is still there, which another rule reports': 'api',
  'a probe that should have been refused had deleted the object': 'api',
  'a probe that should have been refused has already succeeded': 'api',
  'all fields of the answer were sent, or may change by themselves': 'api',
  'another field was accepted': 'api',
  'another step has read it': 'api',
  'every answer that came is judged by another rule': 'api',
  'fewer than two requestIds came': 'api',
  'it is not needed': 'api',
  'its body cannot be made': 'api',
  'neither the target file nor reading gives {fields}': 'api',
  'no answer came': 'api',
  'no answer of this form carried a requestId': 'api',
  'no answer shows an id': 'api',
  'no answer shows the id': 'api',
  'no call with a created key succeeded': 'api',
  'no change was followed by a read that shows it': 'api',
  'no chart query was accepted': 'api',
  'no count could be recognised in the answer': 'api',
  'no count could be recognised in the answer to the query without filter and groups': 'api',
  'no deleted object is known': 'api',
  'no e-mail address occurs in both organizations': 'api',
  'no id for {operation} is known': 'api',
  'no key of this run is known that is {state}': 'api',
  'no key of this run is known with its secret': 'api',
  'no list of members came': 'api',
  'no list shows a log source whose table another source could read': 'api',
  'no list shows a query of a user': 'api',
  'no list shows a service with a tag': 'api',
  'no list shows a service with its provider and region': 'api',
  'no list shows a service with its region': 'api',
  'no list shows an object that was got': 'api',
  'no list shows the id of a {resource}': 'api',
  'no machine-readable description is served at /v1': 'api',
  'no operation could be probed: none succeeded with a good request': 'api',
  'no organization is known': 'api',
  'no quota shows how many services there are': 'api',
  'no refusal that this rule judges came': 'api',
  'no request was answered with 400': 'api',
  'no result came': 'api',
  'no role of this run is known': 'api',
  'no saved search was created': 'api',
  'no success and no 400 with a JSON body came': 'api',
  'no success and no 400 with a body came': 'api',
  'no success of a delete that must have the envelope came': 'api',
  'no success that must have the envelope came': 'api',
  'no such id is known': 'api',
  'no target has a path below /v1': 'api',
  'no webhook is known': 'api',
  'no {operation} succeeded with good credentials': 'api',
  'no {parameter} is known': 'api',
  'no {resource} is known': 'api',
  'no {resource} of this run is known': 'api',
  'no {resource} was got': 'api',
  'nothing was uploaded': 'api',
  'the answer shows no costs': 'api',
  'the answers do not show it': 'api',
  'the backup does not have both a start and an end': 'api',
  'the backup has no {field}': 'api',
  'the backup has no {field} to compare': 'api',
  'the counts of the chart could not be recognised': 'api',
  'the created object could not be distinguished from others, so another {resource} was got': 'api',
  'the deletion was only accepted (202)': 'api',
  'the deployment does not offer {operation} (it answered {status})': 'api',
  'the fields of the list are not those of the contract, which other rules judge': 'api',
  'the get does not show the replacement': 'api',
  'the good body has no such field': 'api',
  'the key may not use {operation} (403)': 'api',
  'the list could not be recognised': 'api',
  'the list does not show the backup, or shows it in progress': 'api',
  'the list has fewer than two items': 'api',
  'the list has further pages, which could not be read to the end': 'api',
  'the list of keys answered with a server error': 'api',
  'the next page has other records': 'api',
  'the organization has no developer': 'api',
  'the region of the service is not known': 'api',
  'the run has no service of its own with a known password': 'api',
  'the saved search was not deleted': 'api',
  'the service does not run': 'api',
  'the specification does not describe the body of this operation, and the deployment refused that of the run: {answer}':
    'api',
  'the update changed its id': 'api',
  'the update had removed the object': 'api',
  'the upload address is not on the deployment itself': 'api',
  'the values for its path, query or body are not known': 'api',
  'there are more rows than one answer may hold': 'api',
  'there is no other value to send': 'api',
  'there is one page': 'api',
  'there was no answer to judge': 'api',
  'this edition has no further variant of a {resource}': 'api',
  'times in another unit are accepted': 'api',
  'too few activities are listed': 'api',
  'writes are sent only to what the run created, and {line} created nothing': 'api',
  '{line} did not create the object that should contain it': 'api',
  '{line} did not succeed': 'api',
  '{request} was answered with no id that could be recognised': 'api',
  '{request} was answered with {object}, which this run cannot prove to have created: it neither updates nor deletes it':
    'api',

  'a body over the limit would harm a real deployment, so none is sent': 'run',
  'a read after the lag cannot show that there was a lag': 'run',
  'an alert without {field} might fire and notify somebody, so it is created on a mock only': 'run',
  'on a deployment, --thorough adds {resource} bodies with every variant': 'run',
  'on a deployment, a run that only reads sends two probes of a documented operation: one of them without credentials':
    'run',
  'on a deployment, a wrong secret is tried on the operations of the specification only': 'run',
  'on a deployment, credentials that are nearly right are tried on {operation} only': 'run',
  'on a deployment, writes are sent only to what the run created': 'run',
  'clickPipeSettings/unsent-stays judges it': 'run',
  'it requires a receiver that the deployment can reach': 'run',
  'it requires an operation that writes webhooks, and the specification lists none': 'run',
  'it requires metrics, and the specification has no operation that writes telemetry': 'run',
  'it requires one key for each role, and a target file has one key of the organization': 'run',
  'it requires telemetry with attributes, and the specification has no operation that writes telemetry': 'run',
  'it writes, and this run is read-only': 'run',
  'neither a name nor a dashboard of this run would prove that the run created the object': 'run',
  'such bodies are tried on a mock only': 'run',
  'the pipe of a run maps every column': 'run',
  'the pipe of a run is no database': 'run',
  'the services of a run have an ipAccessList': 'run',
  'a run waits until a service is running': 'run',
  'a run sends the cloud no property that it does not know': 'run',
  'the run has no object in the cloud form to send a wrong method to; recorded traffic may show it': 'run',
  'the run repeats a refused deletion, and even the first may come too late to be refused': 'run',
  'the target file does not have that credential': 'run',
  'the target file does not name a second organization with a key of its own': 'run',
  'the target file does not name a secondOrganizationId': 'run',
  'the target file does not say where services answer SQL (`sql`)': 'run',
  'the target file lists {operation} under notOffered': 'run',
  '{operation} is sent only with --allow-effects {effect}': 'run',
  '{operation} {consequence}, which --allow-effects {effect} allows': 'run',
  '{why}, so it is sent on a mock only': 'run',

  'a recording cannot tell whether another session wrote in between: {difference}': 'recording',
  'a recording does not tell what is wrong with a credential': 'recording',
  'a recording does not tell which ids do not exist': 'recording',
  'it was answered with {statuses}, and a recording does not tell whether the request could succeed': 'recording',
  'the recording has no Authorization header at all: it may have been taken out': 'recording',
  'the recording has no request that shows it': 'recording',

  'inconclusive: {request} was refused with 429 {times}, and the rate limit did not end': 'environment',
  'it is not known whether an earlier {resource} was created, so none is created again': 'environment',
  'no answer with 400 could be read as JSON, of {count} that came': 'environment',
  'the deployment refused the webhook of the sample, and the managed form has no list that shows whether {id} exists: check `cloud.references.webhookId` of the target file (answered {answer})':
    'environment',
  'the target asked to wait for over {minutes} minutes in all, so this request was not sent': 'environment',
  'the target does not answer, so this request was not sent: {failure}': 'environment',
  'the recording shows it only in answers whose body could not be read: {count}': 'environment',
  'wrong credentials are refused in another way than before: more of them could lock the key out': 'environment',
  '{detail}, which may come of a request without answer: {failure}': 'environment',
  '{failure}, and wrong credentials are not sent again: more of them could lock the key out': 'environment',
  '{outcome} at first ({detail}), and it could not be judged again: {failure}': 'environment',
  '{request} got an answer that is nested deeper than {levels} levels': 'environment',
  '{request} got no answer: {error}': 'environment',
  '{request} was answered with {object}, which was there before: this run did not create it, and neither updates nor deletes it':
    'environment',
  '{request} was answered with {status}, as by a gateway without its deployment': 'environment',
} as const satisfies Record<string, Kind>

export type Kind = 'api' | 'run' | 'recording' | 'environment'
type Template = keyof typeof reasons
type Named = `${string}{${string}`

/** A reason without names in braces, or one from `because`. */
export type Reason = Exclude<Template, Named> | { readonly sentence: string; readonly kind: Kind }

/** The names in the braces of a template. */
type NameIn<T> = T extends `${string}{${infer Name}}${infer Rest}` ? Name | NameIn<Rest> : never

/** Fills in the names of a reason. */
export function because<T extends Extract<Template, Named>>(
  template: T,
  values: Readonly<Record<NameIn<T>, string | number>>,
): Exclude<Reason, string> {
  const sentence = template.replace(/\{(\w+)\}/g, (_, name: NameIn<T>) => String(values[name]))
  return { sentence, kind: reasons[template] }
}

export const sentenceOf = (reason: Reason): string => (typeof reason === 'string' ? reason : reason.sentence)
export const kindOf = (reason: Reason): Kind => (typeof reason === 'string' ? reasons[reason] : reason.kind)
