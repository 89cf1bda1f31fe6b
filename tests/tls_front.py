"""tls_front.py PORT PEM [1.1] - speaks TLS and passes on what is inside

Prints the port it listens on at 127.0.0.1; each connection that finishes its
handshake is one to PORT. With a version: that one only, and nothing is passed
back. Ends with its input.
"""
import asyncio
import socket
import ssl
import sys
import threading
import warnings


def context():
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(sys.argv[2])
    return tls


async def pass_on(reader, writer):
    try:
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
    except (OSError, ssl.SSLError):
        pass
    writer.close()


async def serve(reader, writer):
    back = await asyncio.open_connection("127.0.0.1", int(sys.argv[1]))
    await asyncio.gather(pass_on(reader, back[1]), pass_on(back[0], writer))


async def serve_all():
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(lambda loop, what: None)
    server = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=context())
    print(server.sockets[0].getsockname()[1], flush=True)
    await loop.run_in_executor(None, sys.stdin.read)


# asyncio does not tell a client why its handshake failed, so blocking calls.
def serve_old():
    tls = context()
    tls.set_ciphers("ALL:@SECLEVEL=0")
    tls.minimum_version = tls.maximum_version = ssl.TLSVersion.TLSv1_1
    server = socket.create_server(("127.0.0.1", 0))
    print(server.getsockname()[1], flush=True)
    while True:
        client = server.accept()[0]
        try:
            inside = tls.wrap_socket(client, server_side=True)
            back = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
            while data := inside.recv(65536):
                back.sendall(data)
        except OSError:
            client.close()


warnings.simplefilter("ignore")
if len(sys.argv) > 3:
    threading.Thread(target=serve_old, daemon=True).start()
    sys.stdin.read()
else:
    asyncio.run(serve_all())
