/** What CodeLab is recognised by: a prompt in a flask's shape. */
export function Mark({ size = 32 }: { size?: number }) {
  return (
    <svg className="co-mark" width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="8" fill="var(--cl-accent)" />
      <path
        d="M9 10.500l5.500 5.500L9 21.500M16.500 21.500H23"
        fill="none"
        stroke="var(--cl-on-accent)"
        strokeWidth="2.600"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
