import atexit, threading, time

threading.Thread(target=time.sleep, args=(600,)).start()
atexit.register(time.sleep, 600)
sys.exitfunc = lambda: time.sleep(600)
