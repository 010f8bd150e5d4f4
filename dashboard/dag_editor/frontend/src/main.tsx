/** What Streamlit calls: once when the component appears, and again at each rerun. */
import { createRoot, type Root } from "react-dom/client";
import { Editor } from "./editor";
import type { EditorData, Publish } from "./protocol";
import { Session } from "./session";

interface Component {
  readonly data: EditorData;
  readonly parentElement: HTMLElement | ShadowRoot;
  readonly setStateValue: Publish;
}

interface Mounted {
  readonly root: Root;
  readonly session: Session;
  readonly leave: () => void;
}

const mounted = new WeakMap<Component["parentElement"], Mounted>();

export default function dagEditor({ data, parentElement, setStateValue }: Component): () => void {
  const known = mounted.get(parentElement);
  if (known) known.session.receive(data, setStateValue);
  else mount(data, parentElement, setStateValue);
  return () => {
    // Streamlit also cleans up when a rerun overtakes another: the editor then stays.
    if (!parentElement.isConnected) unmount(parentElement);
  };
}

function mount(data: EditorData, parent: Component["parentElement"], publish: Publish): void {
  const place = document.createElement("div");
  place.className = "dag-editor-root";
  parent.appendChild(place);
  const session = new Session(data, publish);
  const root = createRoot(place);
  window.addEventListener("pagehide", session.flush);
  mounted.set(parent, { root, session, leave: () => window.removeEventListener("pagehide", session.flush) });
  root.render(<Editor session={session} />);
}

function unmount(parent: Component["parentElement"]): void {
  const known = mounted.get(parent);
  if (!known) return;
  mounted.delete(parent);
  known.leave();
  known.session.close();
  known.root.unmount();
}
