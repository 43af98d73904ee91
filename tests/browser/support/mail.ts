// SMTP server that keeps the received mail.
import { createServer } from "node:net";

export interface MailSink {
  /** Value of QUIRE_SMTP_URL. */
  url: string;
  /** Received mails, with their headers and decoded line ends. */
  mails: string[];
  stop(): void;
}

export async function startMailSink(): Promise<MailSink> {
  const mails: string[] = [];
  const server = createServer((socket) => {
    let waiting = "";
    let mail: string[] | undefined;
    const answer = (text: string) => socket.write(`${text}\r\n`);
    answer("220 sink");
    socket.on("error", () => {});
    socket.on("data", (data) => {
      const lines = (waiting + data).split("\r\n");
      waiting = lines.pop() ?? "";
      for (const line of lines) {
        if (mail && line === ".") {
          mails.push(mail.join("\n").replaceAll("=\n", "").replaceAll("=3D", "="));
          mail = undefined;
          answer("250 ok");
        } else if (mail) mail.push(line.replace(/^\./, ""));
        else if (line === "DATA") {
          mail = [];
          answer("354 go on");
        } else if (line === "QUIT") socket.end("221 bye\r\n");
        else answer("250 ok");
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  return { url: `smtp://127.0.0.1:${port}`, mails, stop: () => void server.close() };
}
