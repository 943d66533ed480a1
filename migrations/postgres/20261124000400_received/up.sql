-- How a charge is paid, or a refund given back: by the stored card through the gateway, or by hand.
ALTER TABLE payments ADD COLUMN method TEXT NOT NULL DEFAULT 'card' CHECK (method IN ('card', 'cash', 'etransfer', 'cheque'));
-- What tells the payment apart: number of the transfer or the cheque.
ALTER TABLE payments ADD COLUMN reference TEXT;
