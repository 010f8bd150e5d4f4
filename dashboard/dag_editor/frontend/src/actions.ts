/** What the editor's parts can ask for; one object a mounted editor, so that nodes stay memoised. */
import { createContext, useContext } from "react";
import type { Selection } from "./protocol";

export interface Actions {
  readonly select: (selection: Selection | null) => void;
  readonly startRename: (node: string) => void;
  readonly finishRename: (node: string, name: string | null) => void;
}

const nothing = () => undefined;

export const ActionsContext = createContext<Actions>({
  select: nothing,
  startRename: nothing,
  finishRename: nothing,
});

export function useActions(): Actions {
  return useContext(ActionsContext);
}
