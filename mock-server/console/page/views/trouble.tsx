import { readAbout } from '../about.ts'
import { Failure } from '../parts/basic.tsx'
import { useReading } from '../reading.ts'
import { usePage } from '../state.ts'
import { ChaosCard } from '../trouble/chaos.tsx'
import { ClockCard } from '../trouble/clock-card.tsx'
import { Faults } from '../trouble/faults.tsx'
import { Noticed } from '../trouble/noticed.tsx'
import { ResetCard } from '../trouble/reset.tsx'

/** What goes wrong on purpose, and what time it is. */
export function Trouble() {
  const { refresh, pulse } = usePage()
  const { data: about, error } = useReading(async () => {
    await refresh()
    return readAbout()
  }, [])
  return (
    <>
      <h1>Trouble</h1>
      <Failure error={error} />
      {about && pulse.value && (
        <>
          <div class="columns">
            <ChaosCard chaos={pulse.value.chaos} />
            <div class="stack">
              <ClockCard />
              <ResetCard seed={about.seed} />
            </div>
          </div>
          <Faults rules={about.rules} faults={pulse.value.faults}>
            {about.canVerify && <Noticed />}
          </Faults>
        </>
      )}
    </>
  )
}
