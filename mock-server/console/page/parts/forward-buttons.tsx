import { usePage } from '../state.ts'
import { Button } from './elements.tsx'

const steps = [
  ['+ 1 minute', 60_000],
  ['+ 1 hour', 3_600_000],
  ['+ 1 day', 86_400_000],
] as const

export function ForwardButtons({ then }: { readonly then?: () => unknown }) {
  const { setClock } = usePage()
  const forward = async (advanceMs: number) => {
    await setClock({ advanceMs })
    await then?.()
  }
  return (
    <>
      {steps.map(([label, advanceMs]) => (
        <Button key={label} onClick={() => forward(advanceMs)}>
          {label}
        </Button>
      ))}
    </>
  )
}
