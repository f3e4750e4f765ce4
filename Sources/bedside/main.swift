print("bedside")
