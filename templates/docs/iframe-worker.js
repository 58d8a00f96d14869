// Search runs in a worker, and a browser starts none for a page that was opened as a file. There a hidden frame takes its place:
// same messages, same script, no network. On a server this script does nothing.
if (location.protocol === "file:") {
  window.IFrameWorker = window.Worker = class extends EventTarget {
    constructor(address) {
      super();
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      this.ready = new Promise((done) => {
        this.frame.onload = () => this.start(String(address), done);
      });
      document.body.append(this.frame);
    }

    start(address, done) {
      const inner = this.frame.contentWindow;
      this.frame.onload = null;
      inner.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
      const script = inner.document.createElement("script");
      script.src = address;
      script.onload = done;
      inner.document.body.append(script);
    }

    postMessage(data) {
      this.ready.then(() => {
        const inner = this.frame.contentWindow;
        inner.dispatchEvent(new inner.MessageEvent("message", { data }));
      });
    }
  };
}
