/** The drawings on the buttons. */
import type { ReactNode } from "react";

const DRAWINGS = {
  add: <path d="M8 3v10M3 8h10" />,
  arrow: <path d="M2.5 12.5 12 4M7 3.5h5.5V9" />,
  rename: <path d="M3 13l.6-3L10.8 2.8l2.4 2.4L6 12.4 3 13zM9.5 4.2l2.3 2.3" />,
  reverse: <path d="M3 5.5h9.5M10 3l2.5 2.5L10 8M13 10.5H3.5M6 8 3.5 10.5 6 13" />,
  remove: <path d="M3 4.5h10M6.2 4.5V3h3.6v1.5M4.3 4.5l.6 8.5h6.2l.6-8.5M6.8 7v3.8M9.2 7v3.8" />,
  tidy: <path d="M2.5 2.5h4v3h-4zM2.5 10.5h4v3h-4zM10 6.5h3.5v3H10zM6.5 4l3.5 3M6.5 12 10 9" />,
  fit: <path d="M1.5 3.5h13v9h-13zM4.5 8h7M6 6.2 4.2 8 6 9.8M10 6.2 11.8 8 10 9.8" />,
  full: <path d="M2.5 6V2.5H6M10 2.5h3.5V6M13.5 10v3.5H10M6 13.5H2.5V10" />,
  leave: <path d="M6 2.5V6H2.5M13.5 6H10V2.5M10 13.5V10h3.5M2.5 10H6v3.5" />,
  closer: <path d="M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9zM10.3 10.3l3.2 3.2M7 5v4M5 7h4" />,
  farther: <path d="M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9zM10.3 10.3l3.2 3.2M5 7h4" />,
  save: <path d="M8 2.5v7M5 7l3 3 3-3M2.5 13.5h11" />,
  close: <path d="M4 4l8 8M12 4l-8 8" />,
} satisfies Record<string, ReactNode>;

export type IconName = keyof typeof DRAWINGS;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      {DRAWINGS[name]}
    </svg>
  );
}
