import { useState } from 'preact/hooks'
import { readAbout } from '../control.ts'
import { SuiteRun } from '../faults/suite-run.tsx'
import { Code, ViewWithoutData } from '../parts/elements.tsx'
import { useData } from '../reading.ts'

export function Conformance() {
  const { data, error } = useData(readAbout, [])
  const [runs, setRuns] = useState(0)
  return (
    <>
      <h1>Conformance</h1>
      <p class="quiet">
        The suite judges a new world with the seed, scenario, faults, chaos and choices of this one, over HTTP like any
        client, on ports of its own. Where it would have to wait, it puts the clock of that world forward. This world
        stays as it is: its records, stubs, clock and calls.
      </p>
      {!data && <ViewWithoutData error={error} />}
      {data && !data.canVerify && (
        <>
          <p>This mock was started as a library, without the suite. On the command line:</p>
          <Code
            text={`curl -s ${location.origin}/control/target > target.json && stack-parity verify --target target.json`}
          />
        </>
      )}
      {data?.canVerify && <SuiteRun label="Run the suite" showsOtherRuns onDone={() => setRuns(runs + 1)} />}
      {runs > 0 && <Report key={runs} />}
    </>
  )
}

/** The report in a frame without an origin, because it contains answers of a deployment. */
const Report = () => (
  <div class="stack report">
    <p>
      <a href="/control/verify/report.html" target="_blank" rel="noopener">
        Open the report in a new tab
      </a>
      {' · '}
      <a href="/control/verify/report.json" download="report.json">
        report.json
      </a>
    </p>
    <iframe class="panel" src="/control/verify/report.html" sandbox="allow-scripts" title="Conformance report" />
  </div>
)
