import { readAbout } from '../about.ts'
import { Failure } from '../parts/basic.tsx'
import { useReading } from '../reading.ts'
import { usePage } from '../state.ts'
import { ByOperation } from '../trouble/by-operation.tsx'
import { ChaosCard } from '../trouble/chaos.tsx'
import { Choices } from '../trouble/choices.tsx'
import { Faults } from '../trouble/faults.tsx'
import { Noticed } from '../trouble/noticed.tsx'

/** What goes wrong on purpose, and what the mock does where the specification is silent. */
export function Trouble() {
  const page = usePage()
  const {
    data: about,
    error,
    refresh,
  } = useReading(async () => {
    await page.refresh()
    return readAbout()
  }, [])
  const state = page.pulse.value
  return (
    <>
      <h1>Trouble</h1>
      <Failure error={error} />
      {about && state && (
        <>
          <div class="columns">
            <ChaosCard chaos={state.chaos} />
            <ByOperation chaos={state.chaos} operations={about.operations} />
          </div>
          <Faults rules={about.rules} faults={state.faults}>
            {about.canVerify && <Noticed />}
          </Faults>
          <Choices choices={about.choices} refresh={refresh} />
        </>
      )}
    </>
  )
}
